"""A small workflow without a single finding, and a way to change one thing in it."""

import json
from typing import Any

from factory.records.workflow import Workflow
from factory.workflow.yaml_nodes import parse_place

Data = dict[str, Any]


def tell(act_id: str, topic: str, **fields: Any) -> Data:
    return {
        "id": act_id,
        "does": f"speak of {topic}",
        "say": [
            f"Just so that you know, {topic} is something we go through with every customer.",
            f"I'd like to mention {topic} now, because people often ask about it later on.",
            f"There is one thing to say about {topic} before we go any further today.",
            f"Our team wants everyone to hear about {topic} early, so I'll be short.",
        ],
        "resume": [
            f"What matters most with {topic}, really, comes down to a simple visit for you.",
            f"The main thing behind {topic}: nothing at all changes unless you tell us first.",
            f"All I meant by {topic} was that you can fully rely on it.",
        ],
        "brief": [f"A quick word on {topic}.", f"In short, {topic} matters."],
        "mentions": [topic],
        **fields,
    }


def ask(act_id: str, topic: str, **fields: Any) -> Data:
    return {
        "id": act_id,
        "does": f"ask for {topic}",
        "say": [
            f"Could you tell me {topic}, please?",
            f"What is {topic}, if you have it there?",
            f"May I ask you for {topic}?",
            f"Would you give me {topic} now?",
        ],
        "resume": [
            f"So, {topic} again, please?",
            f"Once more, what about {topic}?",
            f"And {topic} would be which?",
        ],
        "brief": [f"Please, {topic}?", f"Only {topic}, okay?"],
        "mentions": [topic],
        "replies": ["Uh, yeah, that's fine.", "Sure, go ahead."],
        **fields,
    }


def answer(topic: str) -> Data:
    return {
        "does": f"explain {topic}",
        "mentions": [topic],
        "say": [
            f"The reason behind {topic} is that nobody else can change anything for you.",
            f"We keep {topic} because it saves everyone a second call.",
            f"Nothing about {topic} costs you a cent.",
            f"People were unhappy without {topic}, so it was brought in last year.",
        ],
    }


def move(move_id: str, topic: str, line: str, **fields: Any) -> Data:
    return {"id": move_id, "about": topic, "says": [line], "answer": answer(topic), **fields}


def moves(first: str, second: str, stage: str) -> Data:
    return {
        "pushback": [
            move("why", f"the point of {stage}", "Wait, why do you need that from me?", after=first),
            move("long", f"the length of {stage}", "Come on, does it have to take so long?", after=second),
        ],
        "normal": [move("dog", f"the dog in {stage}", "Oh, we have a dog, by the way.")],
        "topic_switch": [move("bill", f"the bill in {stage}", "Hey, um, when does my bill come?")],
    }


HINT = {
    "does": "say where it stands",
    "say": [
        "You'll find that on the very first page of every letter from us. It is in bold.",
        "Most people have it on the small card that came with the meter. Look on the back.",
        "If you open the app on your phone, the number is right at the top. It begins with L.",
        "Your last invoice shows it in the upper corner next to the date. Take all the digits.",
    ],
}


def caller(intent_id: str, thing: str, weight: int) -> Data:
    """One more who calls, unlike all others."""
    speech = ("hesitant", "brisk", "polite", "folksy")
    return {
        "id": intent_id,
        "reaction": "friendly",
        "profile": ("cooperative", "rushed")[weight % 2],
        "speaks": speech[weight // 2 % len(speech)],
        "description": f"Thinks of {thing} all day.",
        "interruption_profile": {"pushback": "3", "normal": str(weight)},
        "hidden_information": [
            {
                "id": "own",
                "info": f"cares for {thing}",
                "says": [f"So, uh, I care for {thing}, you see."],
                "answer": answer(thing),
            }
        ],
    }


_THINGS = ("the bees", "the choir", "the boat", "the twins", "the roses", "the bakery", "the stamps", "the horses")

_BASE: Data = {
    "schema_version": "1",
    "id": "utilities/meter_visit",
    "title": "Booking a meter visit",
    "subject": "your meter visit",
    "goal": {"direction": "outbound", "statement": "Book a visit.", "success": "A visit is booked."},
    "agent": {"name": "Priya", "organization": "Lakeside Power"},
    "known_user_information": {
        "account_number": "LP-204417",
        "visit_length": "forty minutes",
        "meters": [{"kind": "electricity"}, {"kind": "gas"}],
    },
    "sensitive": ["visit_length"],
    "caller_facts": {
        "account_number": {"is": "LP-204417", "wrong": "LP-204471"},
        "visit_day": [
            {"is": "Tuesday", "corrected": "Wednesday"},
            {"is": "Friday", "corrected": "Thursday"},
        ],
        "wants_text": ["yes", "no"],
        "mobile": "555-0142",
        "still_wanted": ["yes", "no"],
    },
    "guidelines": ["Be kind."],
    "stages": [
        {
            "id": "open_call",
            "name": "Open the call",
            "description": "Say who calls and why.",
            "acts": [
                tell("who_calls", "this call"),
                tell("recorded", "our recording", optional="true"),
                tell("call_reason", "the new meter"),
                ask("good_time", "a good time", hint=HINT),
            ],
            "caller_may": moves("who_calls", "call_reason", "the greeting"),
        },
        {
            "id": "verify",
            "name": "Verify the customer",
            "description": "Make sure who it is.",
            "verification": "true",
            "on_failure": {"says": "Ask once more, then end.", "retries": "1", "then": "unverified"},
            "acts": [
                tell("explain_check", "the quick check", required="true"),
                ask(
                    "ask_account",
                    "the account number",
                    fills="account_number",
                    called="account number",
                    replies=["Uh, it's {account_number}."],
                    received=["Thanks, that matches what we have.", "Great, there you are."],
                    failure={
                        "does": "ask again",
                        "fails": ["I think it's {account_number.wrong}?"],
                        "mentions": ["account number"],
                        "retry": [
                            "That account number doesn't come up here. Could you read it again?",
                            "I can't find it yet. What does the account number on the letter say?",
                            "No luck so far. May I have the account number once more?",
                            "Hmm, another account number must be it. Would you check the card?",
                        ],
                    },
                    hint=HINT,
                ),
            ],
            "caller_may": moves("explain_check", "ask_account", "the check"),
        },
        {
            "id": "arrange",
            "name": "Arrange the visit",
            "description": "Find a day.",
            "terminate_when": [{"says": "End if unwanted.", "slot": "still_wanted", "is": "no", "then": "withdrawn"}],
            "acts": [
                tell("engineer", "our engineer", optional="true"),
                tell("tools", "the tools", optional="true"),
                tell("length", "the {visit_length}"),
                tell("which_meter", "your {meters.0.kind} meter", optional="true"),
                tell("parking", "the parking", optional="true"),
                tell("pets", "your pets", optional="true"),
                ask(
                    "ask_day",
                    "a suitable day",
                    fills="visit_day",
                    called="day",
                    replies=["Um, {visit_day} works."],
                    corrects=["Sorry, I said {visit_day}, but it's {visit_day.corrected}."],
                    hint=HINT,
                ),
                ask("has_pen", "a pen", optional="true"),
                tell("letter", "the letter we send"),
                tell("text_offer", "our text reminder"),
                tell("text_cost", "the price of texts", optional="true"),
                ask(
                    "ask_text",
                    "your text wish",
                    fills="wants_text",
                    replies=[
                        {"if": {"slot": "wants_text", "is": "yes"}, "says": ["Yes, please."]},
                        {"if": {"slot": "wants_text", "is": "no"}, "says": {"default": ["No, thanks."]}},
                    ],
                    hint=HINT,
                ),
                ask(
                    "ask_wanted",
                    "your final word",
                    fills="still_wanted",
                    replies=[
                        {"if": {"slot": "still_wanted", "is": "yes"}, "says": ["Yeah, I do."]},
                        {"if": {"slot": "still_wanted", "is": "no"}, "says": ["Um, no, not any more."]},
                    ],
                    hint=HINT,
                ),
            ],
            "caller_may": moves("length", "letter", "the visit"),
        },
        {
            "id": "texting",
            "name": "Take the mobile number",
            "description": "Only for texts.",
            "skip_when": {"says": "Skip without texts.", "slot": "wants_text", "is": "no"},
            "acts": [
                tell("why_mobile", "our texting number"),
                tell("no_ads", "our promise"),
                ask("ask_mobile", "your mobile", fills="mobile", replies=["It's {mobile}."], hint=HINT),
            ],
            "caller_may": moves("why_mobile", "no_ads", "the text"),
        },
        {
            "id": "close_call",
            "name": "Close the call",
            "description": "Say goodbye.",
            "acts": [
                tell("text_goes", "the text to {mobile}", **{"if": {"slot": "wants_text", "is": "yes"}}),
                tell("bye", "the visit on {visit_day}"),
            ],
        },
    ],
    "hard_stops": {
        name: {
            "does": "end the call",
            "mentions": [name],
            "say": [
                f"I have to end the call here, since it is {name}.",
                f"Because this is {name}, nothing more can be done today.",
                f"It stays {name} for now, so please write to us. Goodbye.",
            ],
        }
        for name in ("unverified", "withdrawn")
    },
    "intents": [
        {
            "id": "night_worker",
            "reaction": "tired",
            "profile": "cooperative",
            "description": "Works nights.",
            "interruption_profile": {"pushback": "1"},
            "hidden_information": [
                {
                    "id": "night_shift",
                    "info": "works nights until 6 am",
                    "says": ["Just so you know, I work until 6 am."],
                    "answer": answer("the night shift"),
                }
            ],
        },
        {
            "id": "planner",
            "reaction": "brisk",
            "profile": "rushed",
            "description": "Plans ahead.",
            "interruption_profile": {"impatient": "1"},
            "hidden_information": [
                {
                    "id": "school",
                    "info": "picks up a child at three",
                    "says": ["I pick up my kid at three, so, uh, not then."],
                    "answer": answer("the school run"),
                }
            ],
            "facts": {"visit_day": [{"is": "Monday", "corrected": "Sunday"}]},
        },
        *(caller(f"caller_{number}", thing, number) for number, thing in enumerate(_THINGS, 1)),
    ],
}


class Edit:
    """A copy of the workflow in which single places can be changed."""

    def __init__(self) -> None:
        self.data = json.loads(json.dumps(_BASE))

    def get(self, place: str) -> Any:
        value: Any = self.data
        for part in parse_place(place):
            if isinstance(value, list) and isinstance(part, str):
                value = next(element for element in value if element["id"] == part)
            else:
                value = value[part]
        return value

    def put(self, place: str, value: Any) -> "Edit":
        root, _, name = place.rpartition(".")
        (self.get(root) if root else self.data)[name] = value
        return self

    def drop(self, place: str) -> "Edit":
        root, _, name = place.rpartition(".")
        parent = self.get(root) if root else self.data
        if isinstance(parent, list):
            parent.remove(self.get(place))
        else:
            del parent[name]
        return self

    def add(self, place: str, *values: Any) -> "Edit":
        self.get(place).extend(values)
        return self

    def insert(self, place: str, index: int, value: Any) -> "Edit":
        self.get(place).insert(index, value)
        return self

    def line(self, place: str, text: str) -> "Edit":
        """Replaces one variant: the place ends with `[index]`."""
        parts = parse_place(place)
        self.get(place.rpartition("[")[0])[parts[-1]] = text
        return self

    def workflow(self) -> Workflow:
        return Workflow.model_validate(self.data)
