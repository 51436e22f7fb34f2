// Part `multiplayer`: a server with rooms of Colyseus, whose worlds are sent by crateful/colyseus or by @colyseus/schema. Each cell is a
// process of its own, which is the server; another one has the clients (bench/multiplayer/).
import { runRounds } from "./harness/rounds.mjs";
import { multiplayerLibraries } from "./suite.mjs";

export function multiplayer(rounds) {
  return runRounds(
    Object.keys(multiplayerLibraries).map((library) => ({
      part: "multiplayer",
      name: "server",
      library,
      params: [{}],
      script: "bench/multiplayer/server.mjs",
    })),
    rounds,
  );
}
