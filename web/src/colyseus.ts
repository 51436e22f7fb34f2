// The adapter for Colyseus. What it shares with the other entries is in their common file, so it works with each of them.
import "./init.js"; // which the others contain too, so that there is one common file

export { joinWorld, RoomWorld, type ClientRoom, type RoomClient, type ServerRoom } from "./adapters/colyseus.js";
