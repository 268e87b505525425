"""What a user calls: check, sweep, jobs, records, report, doctor."""
