"""The JSON Schema of positions lets through what play reaches, and nothing of another form."""

import json
import re

import pytest
from tiny import GAME

import agezoo.envs
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.errors import BadPosition

KINDS = {
    "integer": int,
    "number": (int, float),
    "string": str,
    "boolean": bool,
    "array": list,
    "object": dict,
}
KNOWN = {
    "$schema", "title", "description", "default", "type", "properties", "required", "additionalProperties", "items",
    "minItems", "maxItems", "minimum", "maximum", "const", "enum", "pattern",
}  # fmt: skip


def wrong(schema, value, path="position"):
    """Where `value` does not fit; a validator for the words that the schema uses, and it uses no others."""
    assert set(schema) <= KNOWN
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    fits = any(isinstance(value, KINDS[k]) and (k == "boolean") == isinstance(value, bool) for k in kinds)
    if kinds and not fits:
        return [f"{path}: no {kinds}"]
    found = []
    if "const" in schema and value != schema["const"]:
        found.append(f"{path}: not {schema['const']}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: none of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{path}: pattern")
    if "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        found.append(f"{path}: {value} outside")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**6):
            found.append(f"{path}: length {len(value)}")
        for k, part in enumerate(value):
            found += wrong(schema.get("items", {}), part, f"{path}[{k}]")
    if isinstance(value, dict):
        found += [f"{path}.{name}: missing" for name in schema.get("required", ()) if name not in value]
        for name, part in value.items():
            other = schema.get("additionalProperties", {})
            if name not in schema.get("properties", {}) and other is False:
                found.append(f"{path}.{name}: unknown")
                continue
            found += wrong(schema.get("properties", {}).get(name, other), part, f"{path}.{name}")
    return found


@pytest.mark.parametrize("name", agezoo.envs.names())
def test_every_position_and_view_of_play_fits(name):
    game = agezoo.envs.find(name)
    schema = json.loads(json.dumps(game.position_schema()))
    assert schema["$schema"].endswith("2020-12/schema")
    for seats in game.players:
        env = TableEnv(game, seats)
        env.reset(seed=seats)
        for move in range(80):
            if not env.agents or any(env.terminations.values()):
                break
            if move % 20 == 0:
                for where in (env.position(), *map(env.position, env.possible_agents)):
                    assert wrong(schema, json.loads(json.dumps(where))) == []
            env.step(env.random_action(move))


@pytest.mark.parametrize("name", agezoo.envs.names())
def test_what_the_schema_refuses_is_refused_by_load(name):
    """Every field of every game: too large, too small, too long, of another kind, missing; and fields there are not."""
    game = agezoo.envs.find(name)
    schema = game.position_schema()
    env = TableEnv(game)
    env.reset(seed=1)
    good = env.position()
    assert set(schema["properties"]["state"]["required"]) == set(good["state"])
    tried = 0
    for field in game.all_fields:
        if field.name not in good["state"] or field.name == "rng":
            continue
        low, high = field.range
        plain = field.kind is bool or str(field.kind).endswith("bool'>")
        for number in (low - 1, high + 1, 0.5, "0", None) if not plain else (2, "no", None):
            value = number
            for size in reversed(field.axes):
                value = [value] * size
            tried += refused(env, schema, {**good, "state": {**good["state"], field.name: value}})
        if field.axes:
            tried += refused(
                env, schema, {**good, "state": {**good["state"], field.name: good["state"][field.name][1:]}}
            )
        tried += refused(
            env, schema, {**good, "state": {k: v for k, v in good["state"].items() if k != field.name}}
        )
    tried += refused(env, schema, {**good, "state": {**good["state"], "no_field": 1}})
    for rng in ("", "xyz", "0" * 15, "G" * 16, 7, None, "-000000000000001"):
        tried += refused(env, schema, {**good, "state": {**good["state"], "rng": rng}})
    tried += refused(env, schema, {**good, "options": {**good["options"], "no_option": 1}})
    tried += refused(env, schema, {**good, "num_players": 1})
    tried += refused(env, schema, {**good, "game": "chess"})
    assert tried > 5 * len(game.fields)


def refused(env, schema, where):
    """By both."""
    assert wrong(schema, where)
    with pytest.raises(BadPosition):
        env.load(where)
    return 1


@pytest.fixture(scope="module")
def view():
    env = TableEnv(GAME, 3)
    env.reset(seed=1)
    return env.position(env.agent_selection)


LAST = {"action": GAME.num_actions - 1, "text": "x"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("agezoo", 2),
        ("agezoo", "1"),
        ("version", 1),
        ("game", "tinier"),
        ("num_players", 1),
        ("num_players", 4),
        ("view_of", "player_3"),
        ("view_of", 0),
        ("observation", []),
        ("observation", {"phase": "x"}),
        ("legal_actions", {}),
        ("legal_actions", [{**LAST, "action": GAME.num_actions}]),
        ("legal_actions", [{**LAST, "action": -1}]),
        ("legal_actions", [{**LAST, "action": "0"}]),
        ("legal_actions", [{**LAST, "text": 1}]),
        ("legal_actions", [{"action": 0}]),
        ("legal_actions", [{"text": "x"}]),
        ("options", {"coin": 2}),
        ("options", []),
    ],
)
def test_what_is_of_another_form_does_not_fit(view, name, value):
    assert wrong(GAME.position_schema(), {**view, name: value})


@pytest.mark.parametrize("name", ["agezoo", "game", "version", "num_players", "options", "state"])
def test_what_every_position_has_is_required(view, name):
    assert wrong(GAME.position_schema(), {k: v for k, v in view.items() if k != name})


def test_views_fit_up_to_their_limits(view):
    schema = GAME.position_schema()
    for more in (
        {},
        {"view_of": "player_2"},
        {"legal_actions": [LAST, {**LAST, "action": 0}]},
        {"observation": {"phase": 1, "won": [0.5]}},
        {"num_players": 2},
    ):
        assert wrong(schema, {**view, **more}) == []
    whole = {k: v for k, v in view.items() if k not in ("view_of", "observation", "legal_actions")}
    assert wrong(schema, whole) == []


def test_fields_say_what_they_mean():
    schema = GAME.position_schema()
    fields = schema["properties"]["state"]["properties"]
    docs = {field.name: field.doc for field in GAME.all_fields}
    sets = {field.name for field in GAME.all_fields if field.bits}
    assert sets
    for name in set(fields) & set(docs) - {"rng"}:
        about = " (a set of 6, bit k for the k-th)" if name in sets else ""
        assert fields[name].get("description", "") == docs[name] + about
    assert schema["title"] == "A position of Tiny, version 0"
