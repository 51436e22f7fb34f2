// Mistakes in C++ that must not compile. The compiler's output contains a sentence that says what to do.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { env, root } from "../package/consumer.js";

/** A program with these statements in a function. */
const program = (statements: string) => `
#include <crateful/ecs.hpp>
#include <memory>
#include <string>
#include <vector>

struct Position { float x = 0; };
struct Body { explicit Body(int mass) : mass(mass) {} int mass; };
struct Pinned { Pinned() = default; Pinned(Pinned&&) = delete; };
struct Copied { Copied() = default; Copied(const Copied&) {} Copied& operator=(const Copied&) { return *this; } };
struct Owner { std::unique_ptr<int> value; };
struct Label { std::string text; };
struct Named { crateful::String text; };
struct Fields { Position position; long long time = 0; const char* text = ""; float many[65]{}; };

using namespace crateful;
void use(crateful::ECS& ecs, const std::vector<crateful::Entity>& all, const std::vector<Owner>& owners) {
  static_cast<void>(owners);
  const crateful::Entity e = all[0];
  ${statements}
}`;

let folder: string;
beforeAll(() => {
  // The header is precompiled, which GCC uses: the programs take half the time.
  folder = mkdtempSync(path.join(tmpdir(), "crateful-mistakes-"));
  mkdirSync(path.join(folder, "crateful"));
  const header = path.join(root, "core/include/crateful/ecs.hpp");
  compile("", "-x", "c++-header", header, "-o", path.join(folder, "crateful/ecs.hpp.gch"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The output of the compiler; empty if the program compiles. */
function compile(input: string, ...args: string[]): string {
  const flags = ["-std=c++20", `-I${folder}`, `-I${path.join(root, "core/include")}`, ...args];
  const { status, stderr } = spawnSync(process.env["CXX"] ?? "c++", flags, { env, input, encoding: "utf8" });
  return status === 0 ? "" : stderr;
}

/** The errors of a program, on one line; empty if it compiles. */
const errorsOf = (statements: string) =>
  compile(program(statements), "-fsyntax-only", "-x", "c++", "-").replaceAll(/\s+/g, " ");

test("C3 components that can only be moved compile wherever nothing is copied", () => {
  const statements = `
    ecs.add(e, Owner{std::make_unique<int>(1)});
    ecs.add_entity(Owner{std::make_unique<int>(2)}, Position{});
    ecs.modify<Owner>(e, [](Owner& owner) { owner.value.reset(); });
    ecs.query<Owner, const Label>().each([](Owner& owner, const Label&) { owner.value.reset(); });
    ecs.query<const Owner, Position>().change([](const Owner&, Position& position) { position.x = 1; });
    ecs.remove<Owner>(e);`;
  expect(errorsOf(statements)).toBe("");
});

/** A system that is added and has these members. */
const system = (members: string) => `
  struct S : System<> { S() { require<Position>(); } void update(double) override {} ${members} };
  ecs.add_system<S>(0);`;

test.each([
  ["S3 init with a parameter", system("void init(ECS&) {}"), "a system overrides void init()"],
  ["S15 a condition that is const", system("bool when(const ECS&) const { return false; }"), "which is not const"],
  ["A2 on_add with an entity", system("void on_add(Entity) {}"), "a system overrides void on_add(Aspect&)"],
  ["A2 on_remove with a const aspect", system("void on_remove(const Aspect&) {}"), "overrides void on_remove(Aspect&)"],
  [
    "S4 on_enabled without a parameter",
    system("void on_enabled() {}"),
    "a system overrides void on_enabled(Entities&)",
  ],
  [
    "S4 on_disabled that is const",
    system("void on_disabled(Entities&) const {}"),
    "overrides void on_disabled(Entities&)",
  ],
  ["K1 on_clear that is const", system("void on_clear() const {}"), "a system overrides void on_clear()"],
  [
    "T6 a comparison with three results",
    "ecs.sort<Position>([](const Position&, const Position&) { return -1; });",
    "must return a bool",
  ],
  [
    "Q10 an order by a class that is not required",
    "ecs.query<Label>(order_by(&Position::x));",
    "of a class that the query requires",
  ],
  ["C3 a component class without a default constructor", "ecs.add(e, Body(3));", "needs a default constructor"],
  ["C3 a component class that cannot be moved", "ecs.storage<Pinned>();", "needs a move assignment that is noexcept"],
  ["C3 a component class whose move may throw", "ecs.add<Copied>(e);", "needs a move assignment that is noexcept"],
  ["C3 a list of values that cannot be copied", "ecs.add<Owner>(all, owners);", "add the components one by one"],
  ["E9 a prefab of components that cannot be copied", "ecs.prefab(Owner{}).spawn();", "a prefab copies its components"],
  ["E9 many entities of such a prefab", "ecs.prefab(Owner{}).spawn(3);", "a prefab copies its components"],
  ["Q1 a query of references", "for (auto row : ecs.query<Position&>()) {}", "name the classes without &"],
  [
    "Q1 an entity as a filter of a query",
    "ecs.query<Position>(e);",
    "the filters are exclude, any, optional and parent",
  ],
  ["Q1 a class that is required and excluded", "ecs.query<Position>(exclude<Position>);", "both required and excluded"],
  [
    "S12 a function with other parameters as a system",
    'ecs.add_system(1, "Move", [](double) {});',
    "has the parameters (ECS& ecs, double delta)",
  ],
  [
    "S12 such a function with options",
    'ecs.add_system(1, "Move", [](double) {}, {.interval = 1});',
    "has the parameters (ECS& ecs, double delta)",
  ],
  ["H5 a reference to a component of the parent", "ecs.query<Body>(parent<Position&>);", "name the classes without &"],
  [
    "S9 optional components in a system, which has no rows",
    "struct Move : System<> { Move() { require<Position>(optional<Position>); } };",
    "optional is for queries",
  ],
  [
    "H5 change of a component of the parent without operator==",
    "ecs.query<const Position>(parent<Label>).change([](const Position&, Label*) {});",
    "have an operator==; name it const",
  ],
  [
    "C3 a struct as a field",
    'describe_component<Fields>("F").field("p", &Fields::position);',
    "name one of its members",
  ],
  [
    "C13 a std::string as a field",
    'describe_component<Label>("L").field("text", &Label::text);',
    "A text is a crateful::String, not a std::string",
  ],
  ["C13 a text in place of a string", 'Named named{"text"};', "crateful::String"],
  [
    "C3 a 64-bit integer as a field",
    'describe_component<Fields>("F").field("t", &Fields::time);',
    "use a double, or two",
  ],
  [
    "C3 a pointer as a field",
    'describe_component<Fields>("F").field("t", &Fields::text);',
    "a field must be an integer",
  ],
  [
    "C12 an array of 65 numbers as a field",
    'describe_component<Fields>("F").field("m", &Fields::many);',
    "must have 2 to 64 elements",
  ],
  ["C3 a field without a member", 'describe_component<Fields>("F").field("t", "time");', "pointers to data members"],
  ["C6 a component class that is named const", "static_cast<void>(ecs.has<const Position>(e));", "without const and &"],
  ["C10 set without operator==", 'ecs.set(e, Label{"crate"});', "use add or modify"],
  ["Q9 change without operator==", "ecs.query<Label>().change([](Label&) {});", "have an operator==; name it const"],
])("%s does not compile, and the message says what to do", (_, statement, message) => {
  expect(errorsOf(statement)).toContain(message);
});
