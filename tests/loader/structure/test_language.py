from __future__ import annotations

import pytest

from src.loader.structure.language import language_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The pump was repaired in the spring and it has been in use since the end of May.", "en"),
        ("Die Pumpe wurde im Frühjahr repariert und ist seit dem Ende des Monats in Betrieb.", "de"),
        ("La pompe a été réparée au printemps et elle est en service depuis la fin du mois de mai.", "fr"),
        ("La bomba fue reparada en la primavera y está en uso desde el fin del mes para los vecinos.", "es"),
        ("本年度の売上高は前年度に比べて増加しました。", "ja"),
        ("本公司二零二三年度收入较上年增长百分之五", "zh"),
        ("올해 매출은 지난해보다 증가하였습니다", "ko"),
        ("מספר החוזה הוא ארבעים ושמונה אלף", "he"),
        ("بلغ عدد العقود ثمانية وأربعين ألفا", "ar"),
        ("12 480 7 315 1 004 220", ""),
    ],
)
def test_language_of_a_sentence(text: str, code: str) -> None:
    assert language_of(text) == code
