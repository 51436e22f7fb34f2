#pragma once
// The rules of the city, which both sides use. What an entity does depends on nothing but numbers of its own, so the order in which
// entities are visited has no effect, and the results can be compared. Where an order matters, as in the line at a bus stop, both
// sides sort by these numbers.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench::city {

constexpr std::uint32_t CITIZENS = 50'000;
constexpr std::uint32_t BUILDINGS = 2'000;
constexpr std::uint32_t ROOMS = 3;  // in a building
constexpr std::uint32_t LINES = 40;
constexpr std::uint32_t REGIONS = 10;  // each line has a stop in each region
constexpr std::uint32_t STOPS = LINES * REGIONS;
constexpr std::uint32_t BUSES = 600;
constexpr std::uint32_t VANS = 400;
constexpr std::uint32_t VEHICLES = BUSES + VANS;
constexpr std::uint32_t SEATS = 20;  // in a bus
constexpr std::uint32_t JOBS = 1'000;
constexpr std::uint32_t STREETS = 128;
constexpr std::uint32_t PARCELS = 3;        // that a van delivers at once
constexpr std::uint32_t CROWD = 20;         // people in a building that is crowded
constexpr std::uint32_t CAREERS = 16;       // citizens with another profession in a step
constexpr std::uint32_t PAYDAYS = 4;        // jobs that pay wages in a step
constexpr std::uint32_t GROWING = 4;        // buildings that grow in a step
constexpr std::uint32_t LATE = 600;         // steps after which a trip is late
constexpr std::uint32_t FIRST_STEPS = 600;  // before the measurement: until people are everywhere
constexpr double REPAIR_SECONDS = 0.51;
constexpr double STEP = 1.0 / 60;
constexpr float DELTA = 1.0F / 60;

// --- components that both sides use -------------------------------------------------------------------

/// In the world.
struct Place {
    float x = 0;
    float y = 0;
    float z = 0;
};
struct Citizen {
    std::uint32_t number = 0;
    std::uint32_t building = 0;  // in which the last trip ended
    std::uint32_t trips = 0;
};
/// Of a citizen in a building.
struct Stay {
    float left = 0;  // seconds
};
/// Of a citizen on foot.
struct Walk {
    float x = 0;  // velocity
    float y = 0;
    float left = 0;  // seconds
};
struct Wallet {
    std::uint32_t money = 0;
};
/// Of a citizen at a stop.
struct Waiting {
    std::uint32_t since = 0;  // the step
};
/// Of a vehicle.
struct Route {
    Place from;
    Place to;
    float progress = 0;
    float speed = 1;
};
struct Van {
    std::uint32_t number = 0;
    std::uint32_t legs = 0;
    std::uint32_t building = 0;  // to which it drives
};
/// Of a bus.
struct AtStop {
    float left = 0.2F;  // seconds
};
struct Broken {};
struct Building {
    std::uint32_t number = 0;
};
struct Occupancy {
    std::uint32_t people = 0;
};
struct Lights {
    std::uint32_t lit = 0;
    std::uint32_t updates = 0;
};
struct Stock {
    std::uint32_t units = 0;
    std::uint32_t sold = 0;
};
struct Label {
    std::uint32_t width = 0;
    std::uint32_t updates = 0;
};
struct Closed {};
struct Sign {};
struct Flash {
    float left = 0;  // seconds
};
struct Parcel {
    std::uint32_t number = 0;
    std::uint32_t building = 0;
    float left = 0;  // seconds
};
struct Fragile {};
struct Late {};

struct Stats {
    std::uint64_t trips = 0;
    std::uint64_t trip_steps = 0;
    std::uint64_t late = 0;
    std::uint64_t waited = 0;
    std::uint64_t boarded = 0;
    std::uint64_t delivered = 0;
    std::uint64_t broken = 0;
    std::uint64_t repaired = 0;
    std::uint64_t crowds = 0;
    std::uint64_t crowd_steps = 0;
    std::uint64_t shown = 0;
};

// --- the rules --------------------------------------------------------------------------------------

inline std::uint32_t mix(std::uint32_t n) {
    n = (n ^ (n >> 16)) * 0x7FEB352Du;
    n = (n ^ (n >> 15)) * 0x846CA68Bu;
    return n ^ (n >> 16);
}
/// From 0 to 1.
inline float unit(std::uint32_t n) { return static_cast<float>(mix(n) % 1'000'000) / 1'000'000; }
inline float around(std::uint32_t n, float radius) { return (2 * unit(n) - 1) * radius; }
inline bool ends(float& left) { return (left -= DELTA) <= 0; }
inline Place sum(const Place& a, const Place& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

inline std::uint32_t region(std::uint32_t stop) { return stop % REGIONS; }
inline Place stop_place(std::uint32_t stop) {
    constexpr std::array<float, REGIONS> X{800, 640, 480, 320, 160, 200, 360, 520, 680, 840};
    constexpr std::array<float, REGIONS> Y{300, 340, 300, 340, 500, 660, 700, 660, 700, 500};
    return {X[region(stop)] + around(2 * stop, 40), Y[region(stop)] + around(2 * stop + 1, 40), 0};
}
/// The stop that is next to a building.
inline std::uint32_t stop_of(std::uint32_t building) { return building % STOPS; }
inline Place building_place(std::uint32_t building) {
    const Place stop = stop_place(stop_of(building));
    return {stop.x + around(5 * building, 30), stop.y + around(7 * building, 30), 0};
}
inline Place room_place(std::uint32_t room) { return {0, 0, static_cast<float>(room)}; }
inline std::uint32_t next_stop(std::uint32_t stop) {
    return region(stop) + 1 < REGIONS ? stop + 1 : stop + 1 - REGIONS;
}
/// The stop at which a passenger leaves the bus: that of the line in the region of the building.
inline std::uint32_t goal_stop(std::uint32_t from_building, std::uint32_t to_building) {
    const std::uint32_t from = stop_of(from_building);
    return from - region(from) + region(stop_of(to_building));
}
inline std::uint32_t home_of(std::uint32_t citizen) { return mix(citizen * 3) % BUILDINGS; }
inline std::uint32_t shop_of(const Citizen& citizen) { return mix(citizen.number * 7 + citizen.trips) % BUILDINGS; }
inline std::uint32_t job_of(std::uint32_t citizen, std::uint32_t changes) { return mix(citizen * 5 + changes) % JOBS; }
inline Stay stay(const Citizen& citizen) { return {5 + 20 * unit(citizen.number * 11 + citizen.trips)}; }
inline Stay first_stay(std::uint32_t citizen) { return {25 * unit(citizen * 13)}; }
inline Walk walk(const Place& from, const Place& to) {
    const float x = to.x - from.x;
    const float y = to.y - from.y;
    const float seconds = 0.3F + std::sqrt(x * x + y * y) / 30;
    return {x / seconds, y / seconds, seconds};
}
inline bool step(Place& place, Walk& walk) {
    place.x += walk.x * DELTA;
    place.y += walk.y * DELTA;
    return ends(walk.left);
}
inline Place seat(std::uint32_t citizen) { return {around(citizen * 17, 3), around(citizen * 19, 1), 0.5F}; }
inline constexpr Place CABIN{0, 0, 1};
inline constexpr Place LAMP{4, 0, 0.5F};

/// Returns whether the vehicle has arrived.
inline bool drive(Place& local, Route& route) {
    route.progress = std::min(route.progress + route.speed * DELTA, 1.0F);
    local.x = route.from.x + (route.to.x - route.from.x) * route.progress;
    local.y = route.from.y + (route.to.y - route.from.y) * route.progress;
    return route.progress >= 1;
}
inline std::uint32_t first_bus_stop(std::uint32_t bus) { return bus % LINES * REGIONS + mix(bus) % REGIONS; }
inline Route bus_route(std::uint32_t stop) { return {stop_place(stop), stop_place(next_stop(stop)), 0, 2}; }
/// So that vehicles do not arrive all in one step.
inline Route on_the_way(Route route, std::uint32_t vehicle) {
    route.progress = unit(vehicle * 59);
    return route;
}
inline std::uint32_t van_goal(const Van& van) { return mix(van.number * 23 + van.legs) % BUILDINGS; }
inline Route van_route(std::uint32_t from, std::uint32_t to) {
    return {building_place(from), building_place(to), 0, 1};
}
inline Parcel parcel(const Van& van, std::uint32_t k) {
    const std::uint32_t number = (van.number * 10'007 + van.legs) * PARCELS + k;
    return {number, van.building, 0.2F + unit(number)};
}
inline bool is_fragile(const Parcel& parcel) { return mix(parcel.number) % 3 == 0; }
inline bool delivered(Parcel& parcel, bool fragile) { return (parcel.left -= fragile ? DELTA / 2 : DELTA) <= 0; }
inline void add_unit(Stock& stock) { ++stock.units; }
inline bool sells(const Stock& stock) { return stock.units >= 8; }
inline std::uint32_t windows(const Occupancy& occupancy) { return std::min(occupancy.people / 4, 10u); }
inline Flash flash(std::uint32_t building, std::uint32_t updates) {
    return {0.1F + 0.4F * unit(building * 29 + updates)};
}
inline std::uint32_t broken_vehicle(std::uint32_t step) { return mix(step * 31) % VEHICLES; }
inline std::uint32_t closed_building(std::uint32_t step) { return mix(step * 37) % BUILDINGS; }
inline std::uint32_t growing_building(std::uint32_t step, std::uint32_t k) { return (step * GROWING + k) % BUILDINGS; }
inline void grow(Place& local, std::uint32_t step) { local.z = static_cast<float>(step % 64) / 8; }
inline std::uint32_t bankrupt_job(std::uint32_t step) { return mix(step * 41) % JOBS; }
inline std::uint32_t paying_job(std::uint32_t step, std::uint32_t k) { return (step * PAYDAYS + k) % JOBS; }
inline std::uint32_t job_building(std::uint32_t job, std::uint32_t founded) {
    return mix(job * 43 + founded) % BUILDINGS;
}
inline std::uint32_t wage(std::uint32_t job) { return 10 + job % 7; }
inline std::uint32_t career(std::uint32_t step, std::uint32_t k) { return (step * CAREERS + k) % CITIZENS; }
inline bool changes_job(std::uint32_t citizen, std::uint32_t step) { return mix(citizen + step) % 2 == 0; }

constexpr std::array<std::string_view, 8> PROFESSIONS{"teacher", "baker",  "doctor",  "driver",
                                                      "builder", "singer", "plumber", "gardener"};
constexpr std::string_view DOCTOR = "doctor";  // is paid twice as much
inline std::string_view profession(std::uint32_t citizen, std::uint32_t step) {
    return PROFESSIONS[mix(citizen * 47 + step) % PROFESSIONS.size()];
}
inline std::uint32_t street_of(std::uint32_t building) { return mix(building * 53) % STREETS; }
/// The name of a street, which is another one after it was renamed.
inline std::string street_name(std::uint32_t street, std::uint32_t renamed) {
    std::string name("Street of the ");
    name.append(std::to_string(renamed % 8)).append(" Lions, district ").append(std::to_string(street));
    return name;
}
inline std::uint32_t cell(const Place& place) {
    return static_cast<std::uint32_t>(place.x / 16) * 64 + static_cast<std::uint32_t>(place.y / 16);
}

// --- what is outside of the world -----------------------------------------------------------------------

/// What the graphics API draws: an instance for each citizen on foot.
class Instances {
public:
    struct Instance {
        float x = 0;
        float y = 0;
        std::uint32_t frame = 0;
    };
    [[nodiscard]] std::uint32_t acquire() {
        if (free_.empty()) {
            all_.emplace_back();
            return static_cast<std::uint32_t>(all_.size() - 1);
        }
        const std::uint32_t id = free_.back();
        free_.pop_back();
        all_[id] = {};
        return id;
    }
    /// Returns how often it was shown.
    std::uint32_t release(std::uint32_t id) {
        free_.push_back(id);
        return all_[id].frame;
    }
    void show(std::uint32_t id, const Place& place) {
        Instance& instance = all_[id];
        instance.x = place.x;
        instance.y = place.y;
        ++instance.frame;
    }
    [[nodiscard]] const Instance& operator[](std::uint32_t id) const { return all_[id]; }

private:
    std::vector<Instance> all_;
    std::vector<std::uint32_t> free_;
};

/// How many vehicles are in each cell of a map.
class Minimap {
public:
    void enter(std::uint32_t cell) { ++counts_[cell]; }
    void leave(std::uint32_t cell) { --counts_[cell]; }
    [[nodiscard]] const std::array<std::uint32_t, 4096>& counts() const { return counts_; }

private:
    std::array<std::uint32_t, 4096> counts_{};
};

// --- comparing --------------------------------------------------------------------------------------

/// A sum in which the order of what is added has no effect.
struct Checksum {
    std::uint64_t sum = 0;
    std::array<std::uint64_t, 16> parts{};
    void add(std::size_t part, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
        const std::uint32_t value = mix(a ^ mix((b + static_cast<std::uint32_t>(part)) ^ mix(c)));
        sum += value;
        parts[part] += value;
    }
    void add(std::size_t part, const Place& p) {
        add(part, std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y),
            std::bit_cast<std::uint32_t>(p.z));
    }
    void add(std::size_t part, std::uint32_t number, std::string_view text) {
        std::uint32_t hash = 0;
        for (const char c : text) hash = mix(hash + static_cast<unsigned char>(c));
        add(part, number, hash);
    }
    void add(const Stats& s) {
        for (const std::uint64_t n : {s.trips, s.trip_steps, s.late, s.waited, s.boarded, s.delivered, s.broken,
                                      s.repaired, s.crowds, s.crowd_steps, s.shown})
            add(15, static_cast<std::uint32_t>(n));
    }
    void add(const Minimap& map) {
        for (std::uint32_t i = 0; i < map.counts().size(); ++i) add(14, i, map.counts()[i]);
    }
};

/// What the first of both sides has computed.
struct Result {
    std::optional<Checksum> first;
    void compare(const Checksum& checksum) {
        if (first && first->sum != checksum.sum) {
            std::string parts;
            for (std::size_t i = 0; i < checksum.parts.size(); ++i)
                if (first->parts[i] != checksum.parts[i]) parts.append(" ").append(std::to_string(i));
            throw std::runtime_error("city: the results of both sides differ in the parts" + parts);
        }
        first = checksum;
    }
};

}  // namespace bench::city
