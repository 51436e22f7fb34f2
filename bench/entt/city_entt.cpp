// The city with EnTT: owning groups for what is visited in each step, views, reactive storages for what changes, signals for
// callbacks, a dispatcher for events, hashed strings, and a hierarchy with a list of children in each component.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <entt/entt.hpp>

#include "city.hpp"
#include "city_rules.hpp"

namespace bench {
namespace {

using namespace city;
using entt::entity;
using entt::registry;
using namespace entt::literals;

/// A place in the hierarchy, and the place relative to the parent; of what has no parent, in the world. One component, so that the
/// loop over the children looks up one storage.
struct Node : Place {
    entity parent = entt::null;
    std::uint32_t at = 0;  // in the list of the parent
    std::vector<entity> children;
};
struct Home {
    entity building = entt::null;
};
struct Works {
    entity job = entt::null;
    std::uint32_t changes = 0;
    std::uint32_t at = 0;  // in the list of the job
};
struct Job {
    std::uint32_t building = 0;
    std::uint32_t wage = 0;
    std::vector<entity> workers;
};
struct Profession {
    entt::id_type name = 0;
};
struct Trip {
    entity citizen = entt::null;
    std::uint32_t steps = 0;
};
/// Of a citizen who is on the way.
struct Journey {
    entity trip = entt::null;
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
    entity cabin = entt::null;
};
struct Stop {
    std::uint32_t number = 0;
};
/// The citizens who wait at a stop, the first one in front.
struct Queue {
    std::vector<entity> line;
};
struct Crowded {};
/// Of a crowded building that is open.
struct Crowd {
    entity sign = entt::null;
    std::uint32_t steps = 0;
};
struct Address {
    entt::id_type street = 0;
    std::uint32_t number = 0;
};
/// Of a vehicle: its cell of the map.
struct Dot {
    std::uint32_t cell = 0;
};
/// Of a citizen on foot.
struct Picture {
    std::uint32_t instance = 0;
};

struct Delivered {
    std::uint32_t building = 0;
    bool fragile = false;
};

/// The texts of hashed strings.
class Texts {
public:
    entt::id_type add(std::string_view text) {
        const entt::id_type id = entt::hashed_string::value(text.data(), text.size());
        texts_.try_emplace(id, text);
        return id;
    }
    [[nodiscard]] std::string_view operator[](entt::id_type id) const { return texts_.at(id); }

private:
    entt::dense_map<entt::id_type, std::string> texts_;
};

class Peer final : public Workload {
public:
    explicit Peer(std::shared_ptr<Result> result) : result_(std::move(result)) {
        moved_.on_construct<Node>().on_update<Node>();
        occupied_.on_construct<Occupancy>().on_update<Occupancy>();
        stocked_.on_construct<Stock>().on_update<Stock>();
        renamed_.on_construct<Address>().on_update<Address>();
        registry_.on_construct<Walk>().connect<&Peer::add_picture>(this);
        registry_.on_destroy<Walk>().connect<&Peer::remove_picture>(this);
        registry_.on_construct<Crowded>().connect<&Peer::begin_crowd>(this);
        registry_.on_destroy<Crowded>().connect<&Peer::end_crowd>(this);
        registry_.on_construct<Closed>().connect<&Peer::end_crowd>(this);
        registry_.on_destroy<Closed>().connect<&Peer::open>(this);
        registry_.on_destroy<Job>().connect<&Peer::dismiss>(this);
        dispatcher_.sink<Delivered>().connect<&Peer::receive>(this);
        add_stops();
        add_buildings();
        add_vehicles();
        add_jobs();
        add_citizens();
        for (std::uint32_t i = 0; i < FIRST_STEPS; ++i) step();
    }
    void step() override {
        repair();
        leave_buildings();
        walk_on();
        age_trips();
        arrive();
        drive_on();
        stop_buses();
        leave_stops();
        break_vehicle();
        deliver();
        sell();
        light_windows();
        close_building();
        for (auto [e, crowd] : registry_.view<Crowd>().each()) ++crowd.steps;
        for (auto [e, flash] : flashes_.each()) {
            if (ends(flash.left)) {
                flashes_.erase(e);
                places_.erase(e);
                entities_.erase(e);
            }
        }
        pay();
        hire();
        change_careers();
        const entity closing = found_job();
        rename_street();
        for (auto [e, address, label] : renamed_.view<const Address, Label>().each()) {
            label.width = static_cast<std::uint32_t>(texts_[address.street].size());
            ++label.updates;
        }
        renamed_.clear();
        for (std::uint32_t k = 0; k < GROWING; ++k)
            registry_.patch<Node>(buildings_[growing_building(now_, k)], [&](Node& node) { grow(node, now_); });
        transform();
        for (auto [e, walk, place, picture] : walkers_.each()) instances_.show(picture.instance, place);
        registry_.destroy(closing);
        time_ += STEP;
        ++now_;
    }
    void verify(std::size_t) override {
        Checksum checksum;
        for (auto [e, place] : registry_.view<const Place>().each()) checksum.add(0, place);
        for (auto [e, citizen, wallet, profession, works] :
             registry_.view<const Citizen, const Wallet, const Profession, const Works>().each()) {
            checksum.add(1, citizen.number, citizen.building, citizen.trips);
            checksum.add(2, citizen.number, wallet.money, works.changes);
            checksum.add(3, citizen.number, texts_[profession.name]);
        }
        for (auto [e, building, occupancy, lights, stock] :
             registry_.view<const Building, const Occupancy, const Lights, const Stock>().each()) {
            checksum.add(4, building.number, occupancy.people);
            checksum.add(5, building.number, lights.lit, lights.updates);
            checksum.add(6, building.number, stock.units, stock.sold);
        }
        for (auto [e, building, address, label] : registry_.view<const Building, const Address, const Label>().each()) {
            checksum.add(7, building.number, texts_[address.street]);
            checksum.add(8, building.number, label.width, label.updates);
        }
        for (auto [e, citizen, picture] : registry_.view<const Citizen, const Picture>().each())
            checksum.add(9, citizen.number, instances_[picture.instance].frame);
        checksum.add(map_);
        checksum.add(stats_);
        result_->compare(checksum);
    }
    [[nodiscard]] std::size_t ops() const override { return 1; }

private:
    // --- signals ------------------------------------------------------------------------------------

    void add_picture(registry&, entity e) { pictures_.emplace(e, instances_.acquire()); }
    void remove_picture(registry&, entity e) {
        stats_.shown += instances_.release(pictures_.get(e).instance);
        pictures_.erase(e);
    }
    void begin_crowd(registry&, entity e) {
        if (closed_.contains(e)) return;
        const entity sign = registry_.create();
        registry_.emplace<Sign>(sign);
        places_.emplace(sign, Place{places_.get(e)});
        crowds_.emplace(e, sign);
    }
    void end_crowd(registry&, entity e) {
        if (!crowds_.contains(e)) return;
        const Crowd crowd = crowds_.get(e);
        crowds_.erase(e);
        registry_.destroy(crowd.sign);
        ++stats_.crowds;
        stats_.crowd_steps += crowd.steps;
    }
    void open(registry& all, entity e) {
        if (!crowded_.contains(e)) return;
        const entity sign = all.create();
        all.emplace<Sign>(sign);
        places_.emplace(sign, Place{places_.get(e)});
        crowds_.emplace(e, sign);
    }
    void dismiss(registry&, entity e) {
        for (const entity worker : jobs_of_.get(e).workers) {
            works_.get(worker).job = entt::null;
            unemployed_.push_back(worker);
        }
    }
    void receive(const Delivered& event) {
        registry_.patch<Stock>(buildings_[event.building], add_unit);
        stats_.delivered += event.fragile ? 3 : 1;
    }

    // --- links and the hierarchy ------------------------------------------------------------------------

    void set_job(entity worker, std::uint32_t job) {
        Works& works = works_.get(worker);
        if (works.job != entt::null) {
            std::vector<entity>& others = jobs_of_.get(works.job).workers;
            others[works.at] = others.back();
            works_.get(others[works.at]).at = works.at;
            others.pop_back();
        }
        std::vector<entity>& others = jobs_of_.get(jobs_[job]).workers;
        works.job = jobs_[job];
        works.at = static_cast<std::uint32_t>(others.size());
        others.push_back(worker);
    }
    entity add_node(entity e, const Place& local, entity parent = entt::null) {
        Node node{local, parent, 0, {}};
        if (parent != entt::null) {
            std::vector<entity>& others = nodes_.get(parent).children;
            node.at = static_cast<std::uint32_t>(others.size());
            others.push_back(e);
        }
        nodes_.emplace(e, std::move(node));
        return e;
    }
    void remove_node(entity e) {
        const Node& node = nodes_.get(e);
        std::vector<entity>& others = nodes_.get(node.parent).children;
        others[node.at] = others.back();
        nodes_.get(others[node.at]).at = node.at;
        others.pop_back();
        nodes_.erase(e);
    }
    void place_below(const Node& node, const Place& place) {
        for (const entity child : node.children) {
            const Node& below = nodes_.get(child);
            Place& at = places_.get(child);
            at = sum(place, below);
            if (!below.children.empty()) place_below(below, at);
        }
    }
    [[nodiscard]] bool moves_with_ancestor(const Node& node) const {
        for (entity above = node.parent; above != entt::null; above = nodes_.get(above).parent)
            if (moved_.contains(above)) return true;
        return false;
    }

    // --- the systems --------------------------------------------------------------------------------

    void repair() {
        for (; !repairs_.empty() && repairs_.front().first <= time_ + STEP; repairs_.pop_front()) {
            broken_.erase(repairs_.front().second);
            ++stats_.repaired;
        }
    }
    [[nodiscard]] std::uint32_t next_building(entity e, const Citizen& citizen) const {
        if (citizen.trips % 3 == 0) {
            if (const entity job = works_.get(e).job; job != entt::null) return jobs_of_.get(job).building;
        }
        if (citizen.trips % 3 == 2) return registry_.get<Building>(homes_.get(e).building).number;
        return shop_of(citizen);
    }
    void leave_buildings() {
        ended_.clear();
        for (auto [e, stay] : stays_.each())
            if (ends(stay.left)) ended_.push_back(e);
        for (const entity e : ended_) {
            const Citizen& citizen = citizens_of_.get(e);
            const std::uint32_t to = next_building(e, citizen);
            const std::uint32_t from_stop = stop_of(citizen.building);
            const std::uint32_t goal = goal_stop(citizen.building, to);
            const bool by_bus = goal != from_stop;
            occupancies_.patch(buildings_[citizen.building], [](Occupancy& occupancy) { --occupancy.people; });
            stays_.erase(e);
            const entity trip = registry_.create();
            trips_.emplace(trip, e);
            journeys_.emplace(e, trip, to, goal, by_bus);
            walks_.emplace(e, walk(places_.get(e), by_bus ? stop_place(from_stop) : building_place(to)));
        }
    }
    void walk_on() {
        walked_.clear();
        for (auto [e, walk, place, picture] : walkers_.each())
            if (bench::city::step(place, walk)) walked_.emplace_back(citizens_of_.get(e).number, e);
    }
    void age_trips() {
        for (auto [e, trip] : on_time_.each()) {
            if (++trip.steps < LATE) continue;
            late_.emplace(e);
            ++stats_.late;
        }
    }
    void arrive() {
        std::ranges::sort(walked_);
        for (const auto& [number, e] : walked_) {
            const Journey journey = journeys_.get(e);
            Citizen& citizen = citizens_of_.get(e);
            walks_.erase(e);
            if (journey.to_stop) {
                waiting_.emplace(e, now_);
                queues_.get(stops_[stop_of(citizen.building)]).line.push_back(e);
                continue;
            }
            ++stats_.trips;
            stats_.trip_steps += trips_.get(journey.trip).steps;
            trips_.erase(journey.trip);
            late_.remove(journey.trip);
            entities_.erase(journey.trip);  // `destroy` would look into all storages
            journeys_.erase(e);
            citizen.building = journey.to;
            ++citizen.trips;
            occupancies_.patch(buildings_[journey.to], [](Occupancy& occupancy) { ++occupancy.people; });
            stays_.emplace(e, stay(citizen));
        }
    }
    void drive_on() {
        arrived_.clear();
        for (auto [e, node, route] : registry_.view<Node, Route>(entt::exclude<AtStop, Broken>).each()) {
            if (drive(node, route)) arrived_.push_back(e);
            nodes_.patch(e);
        }
        const auto is_bus = [this](entity e) { return buses_.contains(e); };
        const auto vans = std::ranges::partition(arrived_, is_bus);
        for (const entity e : vans) {
            Van& van = vans_.get(e);
            for (std::uint32_t k = 0; k < PARCELS; ++k) {
                const entity p = registry_.create();
                const Parcel& made = parcels_.emplace(p, parcel(van, k));
                places_.emplace(p, building_place(van.building));
                if (is_fragile(made)) fragile_.emplace(p);
            }
            const std::uint32_t from = van.building;
            ++van.legs;
            van.building = van_goal(van);
            routes_.get(e) = van_route(from, van.building);
        }
        arrived_.erase(vans.begin(), vans.end());
    }
    void stop_buses() {
        std::ranges::sort(arrived_, {}, [this](entity e) { return buses_.get(e).number; });
        for (const entity e : arrived_) {
            Bus& bus = buses_.get(e);
            const std::vector<entity>& riders = nodes_.get(bus.cabin).children;
            for (std::size_t i = riders.size(); i-- > 0;) {  // one that leaves is replaced by the last one
                if (riders_.get(riders[i]).goal != bus.stop) continue;
                leave_bus(riders[i], bus.stop);
                --bus.riders;
            }
            std::vector<entity>& line = queues_.get(stops_[bus.stop]).line;
            const std::size_t n = std::min<std::size_t>(line.size(), SEATS - bus.riders);
            for (std::size_t i = 0; i < n; ++i) board_bus(line[i], bus.cabin);
            line.erase(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(n));
            bus.riders += static_cast<std::uint32_t>(n);
            routes_.get(e) = bus_route(bus.stop);
            bus.stop = next_stop(bus.stop);
            at_stop_.emplace(e);
        }
    }
    void leave_bus(entity rider, std::uint32_t stop) {
        const Place place = stop_place(stop);
        remove_node(rider);
        riders_.erase(rider);
        places_.get(rider) = place;
        Journey& journey = journeys_.get(rider);
        journey.to_stop = false;
        walks_.emplace(rider, walk(place, building_place(journey.to)));
    }
    void board_bus(entity e, entity cabin) {
        ++stats_.boarded;
        stats_.waited += now_ - waiting_.get(e).since;
        waiting_.erase(e);
        riders_.emplace(e, journeys_.get(e).goal);
        add_node(e, seat(citizens_of_.get(e).number), cabin);
    }
    void leave_stops() {
        for (auto [e, stop] : registry_.view<AtStop>(entt::exclude<Broken>).each())
            if (ends(stop.left)) at_stop_.erase(e);
    }
    void break_vehicle() {
        const entity vehicle = vehicles_[broken_vehicle(now_)];
        if (broken_.contains(vehicle)) return;
        broken_.emplace(vehicle);
        repairs_.emplace_back(time_ + STEP + REPAIR_SECONDS, vehicle);
        ++stats_.broken;
    }
    void deliver() {
        for (auto [e, parcel] : parcels_.each()) {
            const bool fragile = fragile_.contains(e);
            if (!delivered(parcel, fragile)) continue;
            dispatcher_.trigger(Delivered{parcel.building, fragile});
            parcels_.erase(e);
            fragile_.remove(e);
            places_.erase(e);
            entities_.erase(e);
        }
    }
    void sell() {
        for (auto [e, stock] : stocked_.view<Stock>().each()) {
            if (!sells(stock)) continue;
            stock.sold += stock.units;
            stock.units = 0;
        }
        stocked_.clear();
    }
    void light_windows() {
        for (auto [e, building, occupancy, lights] : occupied_.view<const Building, const Occupancy, Lights>().each()) {
            if ((occupancy.people >= CROWD) != crowded_.contains(e)) {
                if (occupancy.people >= CROWD) crowded_.emplace(e);
                else crowded_.erase(e);
            }
            const std::uint32_t lit = windows(occupancy);
            if (lights.lit == lit) continue;
            lights = {lit, lights.updates + 1};
            const entity f = registry_.create();
            flashes_.emplace(f, flash(building.number, lights.updates));
            places_.emplace(f, Place{places_.get(e)});
        }
        occupied_.clear();
    }
    void close_building() {
        const entity building = buildings_[closed_building(now_)];
        if (!closed_.remove(building)) closed_.emplace(building);
    }
    void pay() {
        for (std::uint32_t k = 0; k < PAYDAYS; ++k) {
            const Job& job = jobs_of_.get(jobs_[paying_job(now_, k)]);
            for (const entity worker : job.workers) {
                const bool twice = professions_.get(worker).name == DOCTOR_ID;
                wallets_.get(worker).money += twice ? 2 * job.wage : job.wage;
            }
        }
    }
    void hire() {
        for (const entity e : unemployed_) {
            Works& works = works_.get(e);
            if (works.job != entt::null) continue;
            set_job(e, job_of(citizens_of_.get(e).number, ++works.changes));
        }
        unemployed_.clear();
    }
    void change_careers() {
        for (std::uint32_t k = 0; k < CAREERS; ++k) {
            const std::uint32_t number = career(now_, k);
            const entity e = citizens_[number];
            professions_.get(e).name = texts_.add(profession(number, now_));
            if (!changes_job(number, now_)) continue;
            Works& works = works_.get(e);
            set_job(e, job_of(number, ++works.changes));
        }
    }
    /// Returns the job that ends with the step.
    entity found_job() {
        const std::uint32_t number = bankrupt_job(now_);
        const entity e = registry_.create();
        jobs_of_.emplace(e, job_building(number, now_), wage(number));
        return std::exchange(jobs_[number], e);
    }
    void rename_street() {
        const std::uint32_t street = now_ % STREETS;
        const std::uint32_t renamed = now_ / STREETS;
        const entt::id_type old = texts_.add(street_name(street, renamed));
        const entt::id_type name = texts_.add(street_name(street, renamed + 1));
        for (auto [e, address] : addresses_.each()) {
            if (address.street != old) continue;
            address.street = name;
            addresses_.patch(e);
        }
    }
    void transform() {
        for (auto [e, node, place] : moved_.view<const Node, Place>().each()) {
            if (moves_with_ancestor(node)) continue;
            place = node.parent == entt::null ? Place{node} : sum(places_.get(node.parent), node);
            place_below(node, place);
        }
        for (auto [e, dot, place] : moved_.view<Dot, const Place>().each()) {
            const std::uint32_t now = cell(place);
            if (now == dot.cell) continue;
            map_.leave(std::exchange(dot.cell, now));
            map_.enter(now);
        }
        moved_.clear();
    }

    // --- the city -----------------------------------------------------------------------------------

    void add_stops() {
        for (std::uint32_t i = 0; i < STOPS; ++i) {
            const entity e = stops_.emplace_back(registry_.create());
            registry_.emplace<Stop>(e, i);
            queues_.emplace(e);
            places_.emplace(e, stop_place(i));
        }
    }
    void add_buildings() {
        for (std::uint32_t i = 0; i < BUILDINGS; ++i) {
            const entity e = buildings_.emplace_back(registry_.create());
            registry_.emplace<Building>(e, i);
            occupancies_.emplace(e);
            registry_.emplace<Lights>(e);
            registry_.emplace<Stock>(e);
            registry_.emplace<Label>(e);
            addresses_.emplace(e, texts_.add(street_name(street_of(i), 0)), i);
            places_.emplace(e, building_place(i));
            add_node(e, building_place(i));
            for (std::uint32_t k = 0; k < ROOMS; ++k) {
                const entity room = registry_.create();
                places_.emplace(room);
                add_node(room, room_place(k), e);
            }
        }
    }
    entity add_vehicle(const Place& place, const Route& route) {
        const entity e = vehicles_.emplace_back(registry_.create());
        places_.emplace(e, place);
        add_node(e, place);
        routes_.emplace(e, route);
        registry_.emplace<Dot>(e, cell(place));
        map_.enter(cell(place));
        const entity lamp = registry_.create();
        places_.emplace(lamp);
        add_node(lamp, LAMP, e);
        return e;
    }
    void add_vehicles() {
        for (std::uint32_t i = 0; i < BUSES; ++i) {
            const std::uint32_t stop = first_bus_stop(i);
            const entity e = add_vehicle(stop_place(stop), on_the_way(bus_route(stop), i));
            const entity cabin = registry_.create();
            places_.emplace(cabin);
            add_node(cabin, CABIN, e);
            buses_.emplace(e, i, next_stop(stop), 0u, cabin);
        }
        for (std::uint32_t i = 0; i < VANS; ++i) {
            const std::uint32_t from = mix(i) % BUILDINGS;
            Van van{i, 0, 0};
            van.building = van_goal(van);
            vans_.emplace(add_vehicle(building_place(from), on_the_way(van_route(from, van.building), BUSES + i)), van);
        }
    }
    void add_jobs() {
        for (std::uint32_t i = 0; i < JOBS; ++i) {
            const entity e = jobs_.emplace_back(registry_.create());
            jobs_of_.emplace(e, job_building(i, 0), wage(i));
        }
    }
    void add_citizens() {
        for (std::uint32_t i = 0; i < CITIZENS; ++i) {
            const entity e = citizens_.emplace_back(registry_.create());
            const std::uint32_t home = home_of(i);
            citizens_of_.emplace(e, i, home, i % 3);
            homes_.emplace(e, buildings_[home]);
            works_.emplace(e);
            set_job(e, job_of(i, 0));
            wallets_.emplace(e);
            professions_.emplace(e, texts_.add(profession(i, 0)));
            places_.emplace(e, building_place(home));
            stays_.emplace(e, first_stay(i));
            occupancies_.patch(buildings_[home], [](Occupancy& occupancy) { ++occupancy.people; });
        }
    }

    static constexpr entt::id_type DOCTOR_ID = entt::hashed_string::value(DOCTOR.data(), DOCTOR.size());

    std::shared_ptr<Result> result_;
    std::uint32_t now_ = 0;
    double time_ = 0;
    Texts texts_;
    Instances instances_;
    Minimap map_;
    Stats stats_;
    std::vector<entity> citizens_;
    std::vector<entity> buildings_;
    std::vector<entity> stops_;
    std::vector<entity> vehicles_;
    std::vector<entity> jobs_;
    std::vector<entity> ended_;
    std::vector<std::pair<std::uint32_t, entity>> walked_;  // with the numbers of the citizens
    std::vector<entity> arrived_;
    std::vector<entity> unemployed_;
    std::deque<std::pair<double, entity>> repairs_;
    registry registry_;
    entt::dispatcher dispatcher_;

    template <class T>
    using Storage = entt::storage_type_t<T>;
    // Citizens on foot are in front of these three storages, in one order.
    decltype(registry_.group<Walk, Place, Picture>()) walkers_ = registry_.group<Walk, Place, Picture>();
    // Trips that are not late are in front.
    decltype(registry_.group<Trip>(entt::get<>, entt::exclude<Late>)) on_time_ =
        registry_.group<Trip>(entt::get<>, entt::exclude<Late>);
    Storage<Place>& places_ = registry_.storage<Place>();
    Storage<Walk>& walks_ = registry_.storage<Walk>();
    Storage<Picture>& pictures_ = registry_.storage<Picture>();
    Storage<Node>& nodes_ = registry_.storage<Node>();
    Storage<Citizen>& citizens_of_ = registry_.storage<Citizen>();
    Storage<Home>& homes_ = registry_.storage<Home>();
    Storage<Works>& works_ = registry_.storage<Works>();
    Storage<Wallet>& wallets_ = registry_.storage<Wallet>();
    Storage<Profession>& professions_ = registry_.storage<Profession>();
    Storage<Job>& jobs_of_ = registry_.storage<Job>();
    Storage<Stay>& stays_ = registry_.storage<Stay>();
    Storage<Waiting>& waiting_ = registry_.storage<Waiting>();
    Storage<Journey>& journeys_ = registry_.storage<Journey>();
    Storage<Trip>& trips_ = registry_.storage<Trip>();
    Storage<Late>& late_ = registry_.storage<Late>();
    Storage<Rider>& riders_ = registry_.storage<Rider>();
    Storage<Bus>& buses_ = registry_.storage<Bus>();
    Storage<Van>& vans_ = registry_.storage<Van>();
    Storage<Route>& routes_ = registry_.storage<Route>();
    Storage<AtStop>& at_stop_ = registry_.storage<AtStop>();
    Storage<Broken>& broken_ = registry_.storage<Broken>();
    Storage<Queue>& queues_ = registry_.storage<Queue>();
    Storage<Occupancy>& occupancies_ = registry_.storage<Occupancy>();
    Storage<Address>& addresses_ = registry_.storage<Address>();
    Storage<Crowded>& crowded_ = registry_.storage<Crowded>();
    Storage<Closed>& closed_ = registry_.storage<Closed>();
    Storage<Crowd>& crowds_ = registry_.storage<Crowd>();
    Storage<Flash>& flashes_ = registry_.storage<Flash>();
    Storage<Parcel>& parcels_ = registry_.storage<Parcel>();
    Storage<Fragile>& fragile_ = registry_.storage<Fragile>();
    Storage<entity>& entities_ = registry_.storage<entity>();
    Storage<entt::reactive>& moved_ = registry_.storage<entt::reactive>("moved"_hs);
    Storage<entt::reactive>& occupied_ = registry_.storage<entt::reactive>("occupied"_hs);
    Storage<entt::reactive>& stocked_ = registry_.storage<entt::reactive>("stocked"_hs);
    Storage<entt::reactive>& renamed_ = registry_.storage<entt::reactive>("renamed"_hs);
};

}  // namespace

std::unique_ptr<Workload> entt_city(std::shared_ptr<city::Result> result) {
    return std::make_unique<Peer>(std::move(result));
}

}  // namespace bench
