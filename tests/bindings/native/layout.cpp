// The memory layout, flags, codes and limits that web/src/module/layout.ts defines, as the C++ compiler sees them.
#include <emscripten/bind.h>

#include <cmath>
#include <cstddef>
#include <string>

#include <crateful/detail/entity_pool.hpp>
#include <crateful/detail/mark_queue.hpp>
#include <crateful/detail/sparse_set.hpp>
#include <crateful/world.hpp>

#include "reports.hpp"
#include "state.hpp"

namespace fixture {
namespace {

using namespace crateful;

// The byte of a row at which its second field begins: writes a row with the bytes 0, 1, 2, … and reads the second field.
int packed_field_bytes() {
    std::byte row[32];
    for (int i = 0; i < 32; ++i) row[i] = static_cast<std::byte>(i);
    const ComponentId id = registry::add_stored("Packed", {{"a", FieldType::u8}, {"b", FieldType::u8}});
    ECS ecs;
    const Entity e = ecs.add_entity();
    Storage& storage = ecs.by_id().storage(id);
    storage.write_packed(storage.place(e).slot, row);
    return static_cast<int>(storage.control().columns[1][0]);
}

class Layout {
public:
    // One line per value: enum, member, number.
    std::string text;

    void add(const char* name, double value) { text += std::string(name) + " " + std::to_string(value) + "\n"; }
    void word(const char* name, std::size_t offset) { add(name, static_cast<double>(offset) / 4); }
    void shift(const char* name, FieldType type) { add(name, std::log2(static_cast<double>(size_of(type)))); }
    template <class E>
    void number(const char* name, E value) {
        add(name, static_cast<double>(value));
    }
};

std::string layout() {
    Layout l;
    l.number("Handle.indexBits", ENTITY_INDEX_BITS);
    l.number("Handle.indexMask", ENTITY_INDEX_MASK);
    l.number("Handle.none", NONE);
    l.number("Handle.maxEntities", EntityPool::MAX_ENTITIES);

    l.word("PoolControl.handles", offsetof(EntityPool::Control, handles));
    l.word("PoolControl.slots", offsetof(EntityPool::Control, slots));
    l.word("PoolControl.count", offsetof(EntityPool::Control, count));
    l.word("PoolControl.signatures", offsetof(EntityPool::Control, signatures));
    l.word("PoolControl.words", offsetof(EntityPool::Control, words));
    l.number("EntityFlag.notifiesRemoval", EntityPool::NOTIFIES_REMOVAL);
    l.number("EntityFlag.bits", EntityPool::FLAG_BITS);

    l.word("OperationsControl.depth", offsetof(internal::Operations::Control, depth));
    l.word("OperationsControl.settled", offsetof(internal::Operations::Control, settled));

    l.word("HierarchyControl.nodes", offsetof(Hierarchy::Control, nodes));
    l.word("HierarchyControl.pages", offsetof(Hierarchy::Control, pages));
    l.word("HierarchyControl.pageCount", offsetof(Hierarchy::Control, page_count));
    l.word("HierarchyControl.version", offsetof(Hierarchy::Control, version));
    l.word("HierarchyNode.entity", offsetof(Hierarchy::Node, entity));
    l.word("HierarchyNode.parent", offsetof(Hierarchy::Node, parent));
    l.word("HierarchyNode.first", offsetof(Hierarchy::Node, first));
    l.word("HierarchyNode.next", offsetof(Hierarchy::Node, next));
    l.word("HierarchyNode.size", sizeof(Hierarchy::Node));
    static_assert(Hierarchy::PAGE_BITS == SparseSet::PAGE_BITS);

    l.word("SetControl.dense", offsetof(SparseSet::Control, dense));
    l.word("SetControl.size", offsetof(SparseSet::Control, size));
    l.word("SetControl.pages", offsetof(SparseSet::Control, pages));
    l.word("SetControl.pageCount", offsetof(SparseSet::Control, page_count));
    l.number("Page.bits", SparseSet::PAGE_BITS);
    l.number("Page.mask", SparseSet::ENTRIES_PER_PAGE - 1);
    l.number("Page.slotLimit", SparseSet::ABSENT);
    l.word("IterationPosition.position", offsetof(IterationPosition, position));
    l.word("IterationPosition.borrowed", offsetof(IterationPosition, borrowed));
    l.word("IterationPosition.end", offsetof(IterationPosition, end));
    l.word("IterationPosition.added", offsetof(IterationPosition, added));
    l.word("IterationPosition.begun", offsetof(IterationPosition, begun));

    l.word("StorageControl.count", offsetof(Storage::Control, count));
    l.word("StorageControl.watchers", offsetof(Storage::Control, watchers));
    l.word("StorageControl.extent", offsetof(Storage::Control, extent));
    l.word("StorageControl.entities", offsetof(Storage::Control, entities));
    l.word("StorageControl.pages", offsetof(Storage::Control, pages));
    l.word("StorageControl.pageCount", offsetof(Storage::Control, page_count));
    l.word("StorageControl.flags", offsetof(Storage::Control, flags));
    l.word("StorageControl.mask", offsetof(Storage::Control, mask));
    l.word("StorageControl.columns", offsetof(Storage::Control, columns));
    l.word("StorageControl.version", offsetof(Storage::Control, version));
    l.word("StorageControl.cursors", offsetof(Storage::Control, cursors));
    l.number("SlotFlag.hasObject", Storage::HAS_OBJECT);

    l.word("ColumnWords.values", offsetof(Storage::Column, values));
    l.word("ColumnWords.step", offsetof(Storage::Column, step));
    l.number("ColumnWords.size", sizeof(Storage::Column) / 4);

    static_assert(offsetof(MarkQueue::Control, last) == 0);
    l.word("Mark.component", offsetof(Mark, component));
    l.word("Mark.first", offsetof(Mark, first));
    l.word("Mark.end", offsetof(Mark, end));
    l.number("NoMark.component", MarkQueue::NO_COMPONENT);

    l.word("WorldMemory.world", offsetof(World::Memory, world));
    l.word("WorldMemory.emptyPage", offsetof(World::Memory, empty_page));
    l.word("WorldMemory.emptySet", offsetof(World::Memory, empty_set));
    l.word("WorldMemory.pool", offsetof(World::Memory, pool));
    l.word("WorldMemory.hierarchy", offsetof(World::Memory, hierarchy));
    l.word("WorldMemory.operations", offsetof(World::Memory, operations));
    l.word("WorldMemory.marks", offsetof(World::Memory, marks));
    l.word("WorldMemory.times", offsetof(World::Memory, times));
    l.word("WorldMemory.paused", offsetof(World::Memory, paused));
    l.word("WorldMemory.replaying", offsetof(World::Memory, replaying));
    l.word("WorldMemory.style", offsetof(World::Memory, style));
    l.word("WorldMemory.profiling", offsetof(World::Memory, profiling));
    l.word("WorldMemory.errorCode", offsetof(World::Memory, error_code));
    l.word("WorldMemory.errorToken", offsetof(World::Memory, error_token));
    l.word("WorldMemory.awaitsTime", offsetof(World::Memory, awaits_time));
    l.number("Times.game", offsetof(Clock::Times, game) / sizeof(double));
    l.number("Times.wall", offsetof(Clock::Times, wall) / sizeof(double));
    l.number("Times.scale", offsetof(Clock::Times, scale) / sizeof(double));
    l.number("Times.frame", offsetof(Clock::Times, frame) / sizeof(double));
    l.number("SlowMotionStyle.scale", SlowMotion::Style::scale);
    l.number("SlowMotionStyle.step", SlowMotion::Style::step);
    l.number("Packed.fieldBytes", packed_field_bytes());

    l.number("FieldBytes.type", 0);
    l.number("FieldBytes.initial", 1);
    l.number("FieldBytes.size", reports::FIELD_BYTES);
    l.number("PolicyNumber.sparse", Policy::sparse);
    l.number("PolicyNumber.linear", Policy::linear);
    l.number("FieldNumber.f32", FieldType::f32);
    l.number("FieldNumber.f64", FieldType::f64);
    l.number("FieldNumber.i8", FieldType::i8);
    l.number("FieldNumber.u8", FieldType::u8);
    l.number("FieldNumber.i16", FieldType::i16);
    l.number("FieldNumber.u16", FieldType::u16);
    l.number("FieldNumber.i32", FieldType::i32);
    l.number("FieldNumber.u32", FieldType::u32);
    l.number("FieldNumber.bool", FieldType::boolean);
    l.number("FieldNumber.entity", FieldType::entity);
    l.number("FieldNumber.link", FieldType::link);
    l.number("FieldNumber.string", FieldType::string);
    l.shift("FieldShift.f32", FieldType::f32);
    l.shift("FieldShift.f64", FieldType::f64);
    l.shift("FieldShift.i8", FieldType::i8);
    l.shift("FieldShift.u8", FieldType::u8);
    l.shift("FieldShift.i16", FieldType::i16);
    l.shift("FieldShift.u16", FieldType::u16);
    l.shift("FieldShift.i32", FieldType::i32);
    l.shift("FieldShift.u32", FieldType::u32);
    l.shift("FieldShift.bool", FieldType::boolean);
    l.shift("FieldShift.entity", FieldType::entity);

    l.number("FieldBytes.continues", reports::CONTINUES);
    l.word("SystemMemory.tracked", offsetof(ForeignSystem::Memory, tracked));
    l.word("SystemMemory.dirty", offsetof(ForeignSystem::Memory, dirty));
    l.word("SystemMemory.visited", offsetof(ForeignSystem::Memory, visited));
    l.word("SystemMemory.notifiesRemove", offsetof(ForeignSystem::Memory, notifies_remove));
    l.word("SystemMemory.causes", offsetof(ForeignSystem::Memory, causes));
    l.number("SystemFlag.disabled", ForeignSystem::disabled);
    l.number("SystemFlag.debug", ForeignSystem::debug);
    l.number("SystemFlag.onlyWhenDirty", ForeignSystem::when_dirty);
    l.number("SystemFlag.ordered", ForeignSystem::keeps_order);
    l.number("SystemFlag.usesNone", ForeignSystem::uses_none);
    l.number("SystemFlag.conditional", ForeignSystem::conditional);
    l.number("SystemFlag.exact", ForeignSystem::is_exact);
    l.number("SystemFlag.dropsSkipped", ForeignSystem::drops_skipped);
    l.number("SystemFlag.observer", ForeignSystem::observes);
    l.number("SystemFlag.notifiesAdd", ForeignSystem::notifies_add);
    l.number("SystemFlag.notifiesRemove", ForeignSystem::notifies_remove);

    l.number("ErrorNumber.staleEntity", ErrorCode::stale_entity);
    l.number("ErrorNumber.missingComponent", ErrorCode::missing_component);
    l.number("ErrorNumber.badSystem", ErrorCode::bad_system);
    l.number("ErrorNumber.badArgument", ErrorCode::bad_argument);
    l.number("ErrorNumber.reentrantUpdate", ErrorCode::reentrant_update);
    l.number("ErrorNumber.notInitialised", ErrorCode::not_initialised);
    l.number("ErrorNumber.disposed", ErrorCode::disposed);
    l.number("ErrorNumber.outOfMemory", ErrorCode::out_of_memory);
    l.number("ErrorNumber.tooDeep", ErrorCode::too_deep);
    l.number("Nesting.limit", internal::Operations::LIMIT);
    l.number("Nesting.least", internal::Operations::LEAST);
    l.number("ErrorNumber.badData", ErrorCode::bad_data);
    l.number("ErrorNumber.foreignException", World::FOREIGN_EXCEPTION);

    l.word("StateClass.id", offsetof(StateClass, id));
    l.word("StateClass.count", offsetof(StateClass, n));
    l.word("StateClass.entities", offsetof(StateClass, entities));
    l.word("StateClass.lengths", offsetof(StateClass, lengths));
    l.word("StateClass.bytes", offsetof(StateClass, bytes));
    l.word("StateClass.differs", offsetof(StateClass, differs));
    using Value = internal::ApplySteps::Value;
    l.word("ApplyClass.id", offsetof(ApplyClass, id));
    l.word("ApplyClass.count", offsetof(ApplyClass, n));
    l.word("ApplyClass.values", offsetof(ApplyClass, values));
    l.word("ApplyValue.index", offsetof(Value, index));
    l.word("ApplyValue.local", offsetof(Value, local));
    l.word("ApplyValue.first", offsetof(Value, first));
    l.word("ApplyValue.count", offsetof(Value, n));
    l.word("ApplyValue.isNew", offsetof(Value, is_new));
    l.word("ApplyValue.position", offsetof(Value, position));
    l.word("ApplyValue.size", sizeof(Value));
    l.word("StateEvent.text", offsetof(StateEvent, text));
    l.word("StateEvent.textBytes", offsetof(StateEvent, n_text));
    l.word("StateEvent.first", offsetof(StateEvent, first));
    l.word("StateEvent.count", offsetof(StateEvent, n));
    l.word("StateEvent.position", offsetof(StateEvent, position));
    l.number("EventKind.inbox", StateEvent::INBOX);
    l.number("EventKind.inInbox", StateEvent::IN_INBOX);
    l.number("EventKind.without", StateEvent::WITHOUT);
    l.number("EventKind.systems", StateEvent::SYSTEMS);
    l.number("EventKind.same", StateEvent::SAME);
    l.word("StateBytes.first", offsetof(StateBytes, first));
    l.word("StateBytes.count", offsetof(StateBytes, n));
    return l.text;
}

EMSCRIPTEN_BINDINGS(layout) { emscripten::function("layout()", &layout); }

}  // namespace
}  // namespace fixture
