/**
 * The sample scripts of the drone guide. BELT, PORT and POST stand for ids of places: a belt, a
 * place with a station, any other place. A test runs each and checks that it does what it says.
 */

interface DroneSample {
  readonly id: string
  /** Type of drone: the id of its item without `_drone`. */
  readonly type: 'combat' | 'mining' | 'repair' | 'salvage' | 'scout'
  /** What it does, in one sentence. */
  readonly about: string
  readonly script: string
}

export const DRONE_SAMPLES: readonly DroneSample[] = [
  {
    id: 'first digger',
    type: 'mining',
    about: 'Mines where it is; a full hold goes over to your ship at the same place.',
    script: `IF cargo_full()
  TRANSFER
END
MINE`,
  },
  {
    id: 'belt and back',
    type: 'mining',
    about: 'Mines at the belt, flies a full hold to your storage at the station, and comes back.',
    script: `IF at("PORT")
  IF cargo_pct() > 0 DEPOSIT END
  MOVE "BELT"
END
IF cargo_full() MOVE "PORT" END
IF at("BELT") MINE ELSE MOVE "BELT" END`,
  },
  {
    id: 'iron hand',
    type: 'mining',
    about: 'Mines only while there is iron ore left here, and waits for it to grow back.',
    script: `IF resource_available("iron_ore")
  MINE
ELSE
  WAIT
END`,
  },
  {
    id: 'shy digger',
    type: 'mining',
    about: 'Mines until a stranger or a pirate turns up, then hides at the post for 20 ticks.',
    script: `IF enemy_nearby() MOVE "POST" END
IF pirate_nearby() MOVE "POST" END
IF at("POST")
  IF tick() % 20 == 0 MOVE "BELT" END
  WAIT
END
MINE`,
  },
  {
    id: 'litter lout',
    type: 'mining',
    about: 'Leaves each full hold in a container at its place, for a hauler to collect.',
    script: 'IF cargo_full() JETTISON ELSE MINE END',
  },
  {
    id: 'day shift',
    type: 'mining',
    about: 'Mines for 10 ticks, rests for 10, and notes in its memory which it is at.',
    script: `IF tick() % 20 < 10
  SET_MEM "shift" "work"
  MINE
ELSE
  SET_MEM "shift" "rest"
END`,
  },
  {
    id: 'guard dog',
    type: 'combat',
    about:
      'Attacks the first stranger or pirate at its place; badly hit it gets out of the battle.',
    script: `IF hull_pct() < 40
  RETREAT
ELSE IF pirate_nearby()
  ATTACK "nearest"
ELSE IF enemy_nearby()
  ATTACK "nearest"
END`,
  },
  {
    id: 'night watch',
    type: 'combat',
    about: 'Flies to and fro between two places and attacks pirates it meets at either.',
    script: `IF pirate_nearby() ATTACK "nearest" END
IF traveling() WAIT END
IF at("BELT")
  MOVE "POST"
ELSE
  MOVE "BELT"
END`,
  },
  {
    id: 'hard target',
    type: 'combat',
    about:
      'In a battle fires while it is whole, evades when it is hurt, and does nothing in peace.',
    script: `IF in_battle()
  IF hull_pct() >= 60 STANCE "fire" END
  STANCE "evade"
END`,
  },
  {
    id: 'ship nurse',
    type: 'repair',
    about: 'Mends your ship whenever it is in space at the same place and not whole.',
    script: `IF owner_hull_pct() < 100
  REPAIR "owner"
END
IF ally_hull_below(100)
  REPAIR "nearest_ally"
END`,
  },
  {
    id: 'rag picker',
    type: 'salvage',
    about: 'Takes goods out of wrecks in even ticks and metal in odd ones, and hands them to you.',
    script: `IF cargo_full() TRANSFER END
IF tick() % 2 == 0
  LOOT "nearest"
ELSE
  SALVAGE "nearest"
END`,
  },
  {
    id: 'breaker',
    type: 'salvage',
    about: 'Takes wrecks apart and flies each full hold to your storage at the station.',
    script: `IF mem("state") == "home"
  IF at("PORT")
    SET_MEM "state" "work"
    DEPOSIT
  END
  MOVE "PORT"
END
IF cargo_full()
  SET_MEM "state" "home"
  MOVE "PORT"
END
IF at("BELT") SALVAGE "nearest" END
MOVE "BELT"`,
  },
  {
    id: 'lookout',
    type: 'scout',
    about: 'Tells you every 10 ticks who is at its place.',
    script: 'IF tick() % 10 == 0 SCAN END',
  },
  {
    id: 'grand tour',
    type: 'scout',
    about: 'Surveys the belt, the station and the post in turn, once a visit.',
    script: `IF traveling() WAIT END
IF mem("done") != "yes"
  SET_MEM "done" "yes"
  SURVEY
END
SET_MEM "done" "no"
IF at("BELT") MOVE "PORT" END
IF at("PORT") MOVE "POST" END
MOVE "BELT"`,
  },
]
