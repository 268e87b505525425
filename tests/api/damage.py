from lazyrich.lab import Store


def break_run(store: str, run: str) -> None:
    chunk = next(path for path in Store(store).path(run).rglob("c/*/*/*") if path.is_file())
    chunk.write_bytes(chunk.read_bytes()[:-1])
