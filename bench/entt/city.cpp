// The city with Crateful, as its documentation recommends.
#include "city.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <crateful/ecs.hpp>

#include "city_rules.hpp"

namespace bench {
namespace {

using namespace city;
using crateful::Aspect;
using crateful::ECS;
using crateful::Entity;
using crateful::Inbox;
using crateful::Link;
using crateful::NONE;
using crateful::String;
using crateful::System;

/// Relative to the parent; of what has no parent, in the world.
struct Local : Place {};
struct Home {
    Link building;
};
struct Works {
    Link job;
    std::uint32_t changes = 0;
};
struct Job {
    Entity building = NONE;
    std::uint32_t building_number = 0;
    std::uint32_t wage = 0;
};
struct Profession {
    String name;
};
struct Trip {
    Entity citizen = NONE;
    std::uint32_t steps = 0;
};
/// Of a citizen who is on the way.
struct Journey {
    Entity trip = NONE;
    std::uint32_t to = 0;    // a building
    std::uint32_t goal = 0;  // the stop at which the bus is left
    bool to_stop = false;    // the walk ends at a stop
};
/// Of a citizen in a bus.
struct Rider {
    std::uint32_t goal = 0;  // a stop
};
struct Bus {
    std::uint32_t number = 0;
    std::uint32_t stop = 0;  // to which it drives, or at which it is
    std::uint32_t riders = 0;
    Entity cabin = NONE;
};
struct Stop {
    std::uint32_t number = 0;
};
/// The citizens who wait at a stop, the first one in front.
struct Queue {
    std::vector<Entity> line;
};
struct Crowded {};
struct Address {
    String street;
    std::uint32_t number = 0;
};

// Events.

struct WalkEnded {
    Entity citizen = NONE;
    std::uint32_t number = 0;
};
struct BusArrived {
    Entity bus = NONE;
    std::uint32_t number = 0;
};
struct Delivered {
    std::uint32_t building = 0;
    bool fragile = false;
};
struct Repaired {
    Entity vehicle = NONE;
};

/// What the systems share.
struct City {
    std::vector<Entity> citizens;
    std::vector<Entity> buildings;
    std::vector<Entity> stops;
    std::vector<Entity> vehicles;
    std::vector<Entity> jobs;
    Instances instances;
    Minimap map;
    Stats stats;
};
struct CitySystem : System<> {
    explicit CitySystem(City& all) : city(all) {}
    [[nodiscard]] std::uint32_t now() const { return static_cast<std::uint32_t>(ecs().clock().frame()); }
    City& city;
};

// --- systems, in the order in which they run -----------------------------------------------------------

/// Citizens leave the buildings in which they stay.
struct Staying : CitySystem {
    explicit Staying(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        ended_.clear();
        ecs().each<Stay>([&](Entity e, Stay& stay) {
            if (ends(stay.left)) ended_.push_back(e);
        });
        for (const Entity e : ended_) leave(e);
    }

private:
    [[nodiscard]] std::uint32_t next_building(Entity e, const Citizen& citizen) {
        if (citizen.trips % 3 == 0) {
            if (const Job* job = ecs().try_get<Job>(ecs().get<Works>(e).job)) return job->building_number;
        }
        if (citizen.trips % 3 == 2) return ecs().get<Building>(ecs().get<Home>(e).building).number;
        return shop_of(citizen);
    }
    void leave(Entity e) {
        const Citizen citizen = ecs().get<Citizen>(e);
        const std::uint32_t to = next_building(e, citizen);
        const std::uint32_t from_stop = stop_of(citizen.building);
        const std::uint32_t goal = goal_stop(citizen.building, to);
        const bool by_bus = goal != from_stop;
        ecs().modify<Occupancy>(city.buildings[citizen.building], [](Occupancy& occupancy) { --occupancy.people; });
        ecs().remove<Stay>(e);
        ecs().add<Journey>(e, {ecs().add_entity(Trip{e}), to, goal, by_bus});
        ecs().add<Walk>(e, walk(ecs().get<Place>(e), by_bus ? stop_place(from_stop) : building_place(to)));
    }
    std::vector<Entity> ended_;
};
struct Walking : CitySystem {
    explicit Walking(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        ecs().each<Place, Walk>([&](Entity e, Place& place, Walk& walk) {
            if (step(place, walk)) ecs().events.dispatch(WalkEnded{e, ecs().get<Citizen>(e).number});
        });
    }
};
/// Trips that take long are late, and are not counted any longer.
struct Trips : CitySystem {
    explicit Trips(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        late_.clear();
        ecs().query<Trip>(crateful::exclude<Late>).each([&](Entity e, Trip& trip) {
            if (++trip.steps == LATE) late_.push_back(e);
        });
        ecs().add<Late>(late_);
        city.stats.late += late_.size();
    }

private:
    std::vector<Entity> late_;
};
/// Who has walked waits for a bus, or enters a building.
struct Arrivals : CitySystem {
    Inbox<WalkEnded> ended{*this};
    explicit Arrivals(City& all) : CitySystem(all) {
        require_none();
        only_when_dirty();
    }
    void update(double) override {
        sorted_.clear();
        for (const WalkEnded& event : ended) sorted_.push_back(event);
        std::ranges::sort(sorted_, {}, &WalkEnded::number);
        for (const WalkEnded& event : sorted_) arrive(event.citizen);
    }

private:
    void arrive(Entity e) {
        const Journey journey = ecs().get<Journey>(e);
        ecs().remove<Walk>(e);
        if (journey.to_stop) {
            const std::uint32_t stop = stop_of(ecs().get<Citizen>(e).building);
            ecs().add<Waiting>(e, {now()});
            ecs().modify<Queue>(city.stops[stop], [&](Queue& queue) { queue.line.push_back(e); });
            return;
        }
        ++city.stats.trips;
        city.stats.trip_steps += ecs().get<Trip>(journey.trip).steps;
        ecs().remove_entity(journey.trip);
        ecs().remove<Journey>(e);
        ecs().modify<Occupancy>(city.buildings[journey.to], [](Occupancy& occupancy) { ++occupancy.people; });
        ecs().modify<Citizen>(e, [&](Citizen& citizen) {
            citizen.building = journey.to;
            ++citizen.trips;
            ecs().add<Stay>(e, stay(citizen));
        });
    }
    std::vector<WalkEnded> sorted_;
};
struct Driving : CitySystem {
    explicit Driving(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        const auto moving = ecs().query<Local, Route>(crateful::exclude<AtStop, Broken>);
        arrived_.clear();
        moving.change([&](Entity e, Local& local, Route& route) {
            if (drive(local, route)) arrived_.push_back(e);
        });
        for (const Entity e : arrived_) {
            if (const Bus* bus = ecs().try_get<Bus>(e)) ecs().events.dispatch(BusArrived{e, bus->number});
            else deliver(e);
        }
    }

private:
    void deliver(Entity e) {
        const Van van = ecs().get<Van>(e);
        for (std::uint32_t k = 0; k < PARCELS; ++k) {
            const Parcel made = parcel(van, k);
            const Entity p = ecs().add_entity(made, building_place(van.building));
            if (is_fragile(made)) ecs().add<Fragile>(p);
        }
        Van next{van.number, van.legs + 1, 0};
        next.building = van_goal(next);
        ecs().set<Van>(e, next);
        ecs().set<Route>(e, van_route(van.building, next.building));
    }
    std::vector<Entity> arrived_;
};
/// Passengers leave a bus that has arrived, and others board it.
struct Boarding : CitySystem {
    Inbox<BusArrived> arrived{*this};
    explicit Boarding(City& all) : CitySystem(all) {
        require_none();
        only_when_dirty();
    }
    void update(double) override {
        sorted_.clear();
        for (const BusArrived& event : arrived) sorted_.push_back(event);
        std::ranges::sort(sorted_, {}, &BusArrived::number);
        for (const BusArrived& event : sorted_) stop(event.bus);
    }

private:
    void stop(Entity e) {
        Bus bus = ecs().get<Bus>(e);
        for (const Entity rider : ecs().children(bus.cabin)) {
            if (ecs().get<Rider>(rider).goal != bus.stop) continue;
            leave(rider, bus.stop);
            --bus.riders;
        }
        ecs().modify<Queue>(city.stops[bus.stop], [&](Queue& queue) {
            const std::size_t n = std::min<std::size_t>(queue.line.size(), SEATS - bus.riders);
            for (std::size_t i = 0; i < n; ++i) board(queue.line[i], bus.cabin);
            queue.line.erase(queue.line.begin(), queue.line.begin() + static_cast<std::ptrdiff_t>(n));
            bus.riders += static_cast<std::uint32_t>(n);
        });
        ecs().set<Route>(e, bus_route(bus.stop));
        bus.stop = next_stop(bus.stop);
        ecs().set<Bus>(e, bus);
        ecs().add<AtStop>(e);
    }
    void leave(Entity rider, std::uint32_t stop) {
        const Place place = stop_place(stop);
        ecs().set_parent(rider, NONE);
        ecs().remove<Rider>(rider);
        ecs().remove<Local>(rider);
        ecs().set<Place>(rider, place);
        ecs().modify<Journey>(rider, [&](Journey& journey) {
            journey.to_stop = false;
            ecs().add<Walk>(rider, walk(place, building_place(journey.to)));
        });
    }
    void board(Entity e, Entity cabin) {
        ++city.stats.boarded;
        city.stats.waited += now() - ecs().get<Waiting>(e).since;
        ecs().remove<Waiting>(e);
        ecs().add<Rider>(e, {ecs().get<Journey>(e).goal});
        ecs().add<Local>(e, {seat(ecs().get<Citizen>(e).number)});
        ecs().set_parent(e, cabin);
    }
    std::vector<BusArrived> sorted_;
};
struct Stopping : CitySystem {
    explicit Stopping(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        for (auto [e, stop] : ecs().query<AtStop>(crateful::exclude<Broken>))
            if (ends(stop.left)) ecs().remove<AtStop>(e);
    }
};
struct Breakdowns : CitySystem {
    explicit Breakdowns(City& all) : CitySystem(all) {
        require_none();
        subscribe<Repaired>([this](const Repaired& event) {
            ecs().remove<Broken>(event.vehicle);
            ++city.stats.repaired;
        });
    }
    void update(double) override {
        const Entity vehicle = city.vehicles[broken_vehicle(now())];
        if (ecs().has<Broken>(vehicle)) return;
        ecs().add<Broken>(vehicle);
        ecs().events.dispatch(Repaired{vehicle}, REPAIR_SECONDS);
        ++city.stats.broken;
    }
};
struct Deliveries : CitySystem {
    explicit Deliveries(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        for (auto [e, parcel, fragile] : ecs().query<Parcel>(crateful::optional<const Fragile>)) {
            if (!delivered(parcel, fragile != nullptr)) continue;
            ecs().events.dispatch(Delivered{parcel.building, fragile != nullptr});
            ecs().remove_entity(e);
        }
    }
};
/// Shops sell what was delivered.
struct Shops : CitySystem {
    explicit Shops(City& all) : CitySystem(all) {
        require<Stock>();
        watch<Stock>();
        subscribe<Delivered>([this](const Delivered& event) {
            ecs().modify<Stock>(city.buildings[event.building], add_unit);
            city.stats.delivered += event.fragile ? 3 : 1;
        });
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (auto [e, stock] : ecs().query<Stock>().of(dirty)) {
            if (!sells(stock)) continue;
            stock.sold += stock.units;
            stock.units = 0;
        }
    }
};
/// Windows are lit according to how many people are in a building. Each change is a flash of light.
struct Windows : CitySystem {
    explicit Windows(City& all) : CitySystem(all) {
        require<Building, Occupancy, Lights>();
        watch<Occupancy>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        const auto buildings = ecs().query<const Building, const Occupancy, Lights>();
        for (auto [e, building, occupancy, lights] : buildings.of(dirty)) {
            if ((occupancy.people >= CROWD) != ecs().has<Crowded>(e)) {
                if (occupancy.people >= CROWD) ecs().add<Crowded>(e);
                else ecs().remove<Crowded>(e);
            }
            const std::uint32_t lit = windows(occupancy);
            if (lights.lit == lit) continue;
            lights = {lit, lights.updates + 1};
            ecs().add_entity(flash(building.number, lights.updates), ecs().get<Place>(e));
        }
    }
};
/// Closes and opens a building in each step.
struct Closing : CitySystem {
    explicit Closing(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        const Entity building = city.buildings[closed_building(now())];
        if (!ecs().remove<Closed>(building)) ecs().add<Closed>(building);
    }
};
/// A sign hangs at a crowded building that is open.
struct Crowd : Aspect {
    Entity sign = NONE;
    std::uint32_t steps = 0;
};
struct Crowds : System<Crowd> {
    explicit Crowds(City& all) : city(all) { require<Crowded, Building>(crateful::exclude<Closed>); }
    void update(double, Entities& entities) override {
        for (auto [e, crowd] : entities) ++crowd.steps;
    }
    void on_add(Crowd& crowd) override { crowd.sign = ecs().add_entity(Sign{}, crowd.get<Place>()); }
    void on_remove(Crowd& crowd) override {
        ecs().remove_entity(crowd.sign);
        ++city.stats.crowds;
        city.stats.crowd_steps += crowd.steps;
    }
    City& city;
};
struct Flashes : CitySystem {
    explicit Flashes(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        ecs().each<Flash>([&](Entity e, Flash& flash) {
            if (ends(flash.left)) ecs().remove_entity(e);
        });
    }
};
/// Some jobs pay wages in each step.
struct Payday : CitySystem {
    explicit Payday(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        const String doctor = ecs().string(DOCTOR);
        const auto paid = ecs().query<Wallet, const Profession>();
        for (std::uint32_t k = 0; k < PAYDAYS; ++k) {
            const Entity job = city.jobs[paying_job(now(), k)];
            const std::uint32_t wage = ecs().get<Job>(job).wage;
            for (auto [e, wallet, profession] : paid.of(ecs().linked<Works>(job)))
                wallet.money += profession.name == doctor ? 2 * wage : wage;
        }
    }
};
/// Who has lost a job finds another one.
struct Hiring : CitySystem {
    explicit Hiring(City& all) : CitySystem(all) {
        require<Works, Citizen>();
        watch<Works>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (auto [e, works, citizen] : ecs().query<const Works, const Citizen>().of(dirty)) {
            if (works.job != NONE) continue;
            const std::uint32_t changes = works.changes + 1;
            ecs().set<Works>(e, {city.jobs[job_of(citizen.number, changes)], changes});
        }
    }
};
/// Some citizens learn another profession, and half of them change their job.
struct Careers : CitySystem {
    explicit Careers(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        for (std::uint32_t k = 0; k < CAREERS; ++k) {
            const std::uint32_t number = career(now(), k);
            const Entity e = city.citizens[number];
            ecs().set<Profession>(e, {ecs().string(profession(number, now()))});
            if (!changes_job(number, now())) continue;
            const std::uint32_t changes = ecs().get<Works>(e).changes + 1;
            ecs().set<Works>(e, {city.jobs[job_of(number, changes)], changes});
        }
    }
};
/// A job ends in each step, and another one begins.
struct Jobs : CitySystem {
    explicit Jobs(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        const std::uint32_t number = bankrupt_job(now());
        const std::uint32_t building = job_building(number, now());
        ecs().remove_entity(city.jobs[number]);
        city.jobs[number] = ecs().add_entity(Job{city.buildings[building], building, wage(number)});
    }
};
/// Gives a street another name in each step.
struct Streets : CitySystem {
    explicit Streets(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        const std::uint32_t street = now() % STREETS;
        const std::uint32_t renamed = now() / STREETS;
        const String old = ecs().string(street_name(street, renamed));
        const String name = ecs().string(street_name(street, renamed + 1));
        ecs().query<Address>().change([&](Address& address) {
            if (address.street == old) address.street = name;
        });
    }
};
struct Labels : CitySystem {
    explicit Labels(City& all) : CitySystem(all) {
        require<Address, Label>();
        watch<Address>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        for (auto [e, address, label] : ecs().query<const Address, Label>().of(dirty)) {
            label.width = static_cast<std::uint32_t>(ecs().text(address.street).size());
            ++label.updates;
        }
    }
};
/// Some buildings grow, and with them their rooms.
struct Growth : CitySystem {
    explicit Growth(City& all) : CitySystem(all) { require_none(); }
    void update(double) override {
        for (std::uint32_t k = 0; k < GROWING; ++k) {
            const Entity building = city.buildings[growing_building(now(), k)];
            ecs().modify<Local>(building, [&](Local& local) { grow(local, now()); });
        }
    }
};
struct Transforms : CitySystem {
    explicit Transforms(City& all) : CitySystem(all) {
        require<Local, Place>();
        watch<Local>();
        watch_ancestors<Local>();
    }
    void update(double, Entities&, Dirty& dirty) override {
        const auto placed = ecs().query<const Local, Place>(crateful::parent<const Place>);
        for (auto [e, local, place, above] : placed.of(dirty.top_down()))
            place = above != nullptr ? sum(*above, local) : Place{local};
    }
};
/// Vehicles on the map.
struct Dot : Aspect {
    std::uint32_t cell = 0;
};
struct Map : System<Dot> {
    explicit Map(City& all) : city(all) {
        require<Place>(crateful::any<Bus, Van>);
        watch<Local>();  // no system watches Place, so that writing to one costs nothing else
    }
    void on_add(Dot& dot) override {
        dot.cell = cell(dot.get<Place>());
        city.map.enter(dot.cell);
    }
    void on_remove(Dot& dot) override { city.map.leave(dot.cell); }
    void update(double, Entities& entities, Dirty& dirty) override {
        for (auto [e, place] : ecs().query<const Place>().of(dirty)) {
            Dot& dot = entities.get(e);
            const std::uint32_t now = cell(place);
            if (now == dot.cell) continue;
            city.map.leave(std::exchange(dot.cell, now));
            city.map.enter(now);
        }
    }
    City& city;
};
/// Citizens on foot are drawn. The number of the instance is a component, and no member of an aspect, so that `each` finds it.
struct Picture {
    std::uint32_t instance = 0;
};
struct Pictures : CitySystem {
    explicit Pictures(City& all) : CitySystem(all) { require<Place, Walk>(); }
    void on_add(Aspect& walker) override { ecs().add<Picture>(walker.entity(), {city.instances.acquire()}); }
    void on_remove(Aspect& walker) override {
        city.stats.shown += city.instances.release(walker.get<Picture>().instance);
        ecs().remove<Picture>(walker.entity());
    }
    void update(double) override {
        ecs().each<const Place, const Picture>(
            [&](const Place& place, const Picture& picture) { city.instances.show(picture.instance, place); });
    }
};

// --- the city ---------------------------------------------------------------------------------------

class Own final : public Workload {
public:
    explicit Own(std::shared_ptr<Result> result) : result_(std::move(result)) {
        describe();
        add_systems();
        add_stops();
        add_buildings();
        add_vehicles();
        add_jobs();
        add_citizens();
        for (std::uint32_t i = 0; i < FIRST_STEPS; ++i) step();
    }
    void step() override { ecs_->update(STEP); }
    void verify(std::size_t) override {
        Checksum checksum;
        ECS& ecs = *ecs_;
        ecs.each<const Place>([&](const Place& place) { checksum.add(0, place); });
        ecs.each<const Citizen, const Wallet, const Profession, const Works>(
            [&](const Citizen& citizen, const Wallet& wallet, const Profession& profession, const Works& works) {
                checksum.add(1, citizen.number, citizen.building, citizen.trips);
                checksum.add(2, citizen.number, wallet.money, works.changes);
                checksum.add(3, citizen.number, ecs.text(profession.name));
            });
        ecs.each<const Building, const Occupancy, const Lights, const Stock>(
            [&](const Building& building, const Occupancy& occupancy, const Lights& lights, const Stock& stock) {
                checksum.add(4, building.number, occupancy.people);
                checksum.add(5, building.number, lights.lit, lights.updates);
                checksum.add(6, building.number, stock.units, stock.sold);
            });
        ecs.each<const Building, const Address, const Label>(
            [&](const Building& building, const Address& address, const Label& label) {
                checksum.add(7, building.number, ecs.text(address.street));
                checksum.add(8, building.number, label.width, label.updates);
            });
        ecs.each<const Citizen, const Picture>([&](const Citizen& citizen, const Picture& picture) {
            checksum.add(9, citizen.number, city_.instances[picture.instance].frame);
        });
        checksum.add(city_.map);
        checksum.add(city_.stats);
        result_->compare(checksum);
    }
    [[nodiscard]] std::size_t ops() const override { return 1; }

private:
    static void describe() {
        using crateful::describe_component;
        describe_component<Home>("CityHome").field("building", &Home::building);
        describe_component<Works>("CityWorks").field("job", &Works::job).field("changes", &Works::changes);
        describe_component<Profession>("CityProfession").field("name", &Profession::name);
        describe_component<Address>("CityAddress").field("street", &Address::street).field("number", &Address::number);
    }
    template <class... Systems>
    void add() {
        (ecs_->add_system<Systems>(0, city_), ...);
    }
    void add_systems() {
        add<Staying, Walking, Trips, Arrivals, Driving, Boarding, Stopping, Breakdowns, Deliveries, Shops, Windows>();
        add<Closing, Crowds, Flashes, Payday, Hiring, Careers, Jobs, Streets, Labels, Growth, Transforms, Map,
            Pictures>();
    }
    void add_stops() {
        for (std::uint32_t i = 0; i < STOPS; ++i)
            city_.stops.push_back(ecs_->add_entity(Stop{i}, Queue{}, stop_place(i)));
    }
    void add_buildings() {
        auto building = ecs_->prefab(Building{}, Occupancy{}, Lights{}, Stock{}, Label{}, Address{}, Local{}, Place{});
        for (std::uint32_t i = 0; i < ROOMS; ++i) building.child(ecs_->prefab(Local{room_place(i)}, Place{}));
        for (std::uint32_t i = 0; i < BUILDINGS; ++i) {
            const Address address{ecs_->string(street_name(street_of(i), 0)), i};
            const Place place = building_place(i);
            city_.buildings.push_back(building.spawn(Building{i}, address, Local{place}, Place{place}));
        }
    }
    void add_vehicles() {
        const auto lamp = ecs_->prefab(Local{LAMP}, Place{});
        const auto cabin = ecs_->prefab(Local{CABIN}, Place{});
        const auto bus = ecs_->prefab(Bus{}, Route{}, Local{}, Place{}).child(cabin).child(lamp);
        const auto van = ecs_->prefab(Van{}, Route{}, Local{}, Place{}).child(lamp);
        for (std::uint32_t i = 0; i < BUSES; ++i) {
            const std::uint32_t stop = first_bus_stop(i);
            const Place place = stop_place(stop);
            const Entity e = bus.spawn(on_the_way(bus_route(stop), i), Local{place}, Place{place});
            ecs_->set<Bus>(e, {i, next_stop(stop), 0, ecs_->children(e).front()});
            city_.vehicles.push_back(e);
        }
        for (std::uint32_t i = 0; i < VANS; ++i) {
            const std::uint32_t from = mix(i) % BUILDINGS;
            Van made{i, 0, 0};
            made.building = van_goal(made);
            const Place place = building_place(from);
            city_.vehicles.push_back(
                van.spawn(made, on_the_way(van_route(from, made.building), BUSES + i), Local{place}, Place{place}));
        }
    }
    void add_jobs() {
        for (std::uint32_t i = 0; i < JOBS; ++i) {
            const std::uint32_t building = job_building(i, 0);
            city_.jobs.push_back(ecs_->add_entity(Job{city_.buildings[building], building, wage(i)}));
        }
    }
    void add_citizens() {
        for (std::uint32_t i = 0; i < CITIZENS; ++i) {
            const std::uint32_t home = home_of(i);
            city_.citizens.push_back(ecs_->add_entity(
                Citizen{i, home, i % 3}, Home{city_.buildings[home]}, Works{city_.jobs[job_of(i, 0)], 0}, Wallet{},
                Profession{ecs_->string(profession(i, 0))}, building_place(home), first_stay(i)));
            ecs_->modify<Occupancy>(city_.buildings[home], [](Occupancy& occupancy) { ++occupancy.people; });
        }
    }

    std::shared_ptr<Result> result_;
    City city_;
    std::unique_ptr<ECS> ecs_ = std::make_unique<ECS>();
};

}  // namespace

Pair city_simulation() {
    const auto result = std::make_shared<Result>();
    return {"city", std::make_unique<Own>(result), entt_city(result)};
}

}  // namespace bench
