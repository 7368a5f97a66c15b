import pytest

from src.retriever.concepts import BALANCE, CASH, INCOME, facets_of
from src.retriever.query import read_query


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("What is the DPO? Round your answer to two decimal places.", "What is the DPO?"),
        (
            "Using only the information within the balance sheet, how much total assets did it have?",
            "how much total assets did it have?",
        ),
        (
            "What is the payout ratio? It is defined as: dividends / net income. Answer in percent.",
            "What is the payout ratio? It is defined as: dividends / net income.",
        ),
        ("Tell me about the warranty.", "Tell me about the warranty."),
        ("用途は何ですか？短く答えてください。", "用途は何ですか？"),
    ],
)
def test_the_core_is_what_is_asked(question: str, core: str) -> None:
    assert read_query(question, ["en"]).core == core


def test_words_on_the_form_of_the_answer_weigh_little() -> None:
    terms = read_query("What is the revenue? Round your answer to two decimals.", ["en"]).terms
    assert terms["revenu"] == 1.0
    assert terms["decim"] < 0.5


@pytest.mark.parametrize(
    ("question", "pages", "labels"),
    [
        ("What does page 12 say?", (12,), ()),
        ("Summarise pages 3-5.", (3, 4, 5), ()),
        ("Was steht auf Seite 7?", (7,), ()),
        ("What is on the page printed as number 2?", (), ("2",)),
        ("the page numbered iv", (), ("iv",)),
        ("How many pages does it have?", (), ()),
    ],
)
def test_pages_that_a_question_names(question: str, pages: tuple[int, ...], labels: tuple[str, ...]) -> None:
    query = read_query(question, ["en"])
    assert (query.pages, query.labels) == (pages, labels)


def test_quoted_words_and_named_tables_are_phrases() -> None:
    assert read_query('Where is "net lease" used in Table 3?', ["en"]).phrases == ("net lease", "table 3")


def test_abbreviations_are_spelled_out_and_the_other_way_round() -> None:
    known = {"lcm": "lower of cost or market"}
    assert read_query("What is LCM?", ["en"], known).terms.keys() >= {"lcm", "lower", "cost", "market"}
    assert "lcm" in read_query("Explain the lower of cost or market rule.", ["en"], known).terms


def test_negation_is_a_term() -> None:
    assert "not" in read_query("Which costs are not covered?", ["en"]).terms
    assert "nicht" in read_query("Welche Kosten sind nicht gedeckt?", ["de"]).terms


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("What is the FY2019 DPO?", (INCOME, BALANCE)),
        (
            "Capex as a share of revenue, from the statement of income and the cash flow statement",
            (CASH, INCOME),
        ),
        ("What is the year-end inventory in the balance sheet?", (BALANCE,)),
        ("What is the operating margin?", (INCOME,)),
        ("Who chairs the board?", ()),
    ],
)
def test_facets_are_the_statements_that_a_quantity_needs(question: str, statements: tuple[str, ...]) -> None:
    assert tuple(facet.statement for facet in facets_of(question)) == statements


def test_a_question_in_another_language_is_stemmed_in_it() -> None:
    query = read_query("Welche Häuser wurden verkauft?", ["en", "de"])
    assert query.language == "de"
    assert query.terms["haus"] == 1.0


def test_everyday_words_are_searched_by_what_documents_print_for_them_too() -> None:
    terms = read_query("who is the boss and how many people work there?", ("en",)).terms
    assert {"execut", "headcount", "boss"} <= terms.keys()
    assert terms["headcount"] < terms["boss"]
    assert "headcount" not in read_query("Wer ist der boss?", ("de",)).terms


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("revenue?", ["income statement"]),
        ("What were NIKE's total revenues in fiscal 2021?", ["income statement"]),
        ("did they make a profit", ["income statement"]),
        ("What were NIKE's total sales to wholesale customers?", []),
        ("What revenue did Star India contribute to Sports?", []),
    ],
)
def test_revenue_as_such_stands_in_the_income_statement(question: str, statements: list[str]) -> None:
    assert [facet.statement for facet in read_query(question, ("en",)).facets] == statements
