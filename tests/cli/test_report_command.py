"""`lazyrich report` as a user calls it."""


def test_a_checked_claim_becomes_a_page(here, tmp_path):
    assert here("check", "woodworth2020/lemma_6").returncode == 0
    done = here("report", "--out", "pages")
    assert done.returncode == 0 and done.stdout == "wrote pages/index.html\n"
    assert (tmp_path / "pages" / "claims" / "woodworth2020-lemma_6.html").is_file()
    again = here("report", "woodworth2020/lemma_6", "--out", "pages")
    assert again.returncode == 2 and "--force" in again.stderr
    assert here("report", "woodworth2020/lemma_6", "--out", "pages", "--force").returncode == 0


def test_no_runs_no_report(here, tmp_path):
    refused = here("report", "--out", "pages")
    assert refused.returncode == 2 and "lazyrich check --all" in refused.stderr
    assert not (tmp_path / "pages").exists()
    assert here("report").returncode == 2


def test_a_place_that_cannot_be_written_to(here, tmp_path):
    assert here("check", "woodworth2020/lemma_6").returncode == 0
    (tmp_path / "file").write_text("")
    refused = here("report", "--out", "file/pages")
    assert refused.returncode == 4 and "Choose another" in refused.stderr
