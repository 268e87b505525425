import images
import pytest

from lazyrich.errors import BadInput
from lazyrich.report import records as results


def test_a_claim_at_quick_size_leaves_a_record_and_a_picture(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(images, "FOLDER", tmp_path)
    images.main(["woodworth2020/quartic_root"])
    assert capsys.readouterr().out == "woodworth2020/quartic_root holds\n"
    record = results.read(tmp_path)["woodworth2020/quartic_root"]
    assert (record.size, record.verdict, record.stale) == ("quick", "holds", False)
    assert (tmp_path / record.image).stat().st_size > 0


@pytest.mark.parametrize("identities", [[], ["woodworth2020/quartic_root", "woodworth2020/figure_99"]])
def test_a_wrong_id_is_refused_before_any_work(identities, tmp_path, monkeypatch):
    monkeypatch.setattr(images, "FOLDER", tmp_path)
    with pytest.raises(BadInput):
        images.main(identities)
    assert list(tmp_path.iterdir()) == []
