/** Invariants of players. */
import { assert } from '../../core/assert.ts'
import { sampleOf } from '../../core/invariants.ts'
import type { CheckDef } from '../../core/registry.ts'
import { usernameKey } from '../../core/text-rules.ts'
import { Ship } from '../ship/state.ts'
import { Player, PRESENCE, USERNAMES } from './state.ts'

export const playersHaveShips: CheckDef = {
  name: 'I9 a living player who rides with nobody has exactly one active ship, their own',
  run(view, full) {
    if (!full) return
    const { alive, ship } = view.read(Player)
    const ships = view.read(Ship)
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 0) continue
      const flown = ship[player]
      // A player who rides in another's ship flies none; the fleet domain checks that case.
      if (flown === 0) continue
      if (ships.alive[flown] === 0) assert(false, `player ${player} flies no ship`)
      if (ships.owner[flown] !== player) assert(false, `player ${player} flies another's ship`)
    }
  },
}

/** Checks a sample of a large world: folding names is slow. */
export const usernamesMatch: CheckDef = {
  name: 'user names: each player has one, and it leads to that player',
  run(view, full) {
    if (!full) return
    const { alive, seq, username } = view.read(Player)
    const names = view.records(USERNAMES)
    assert(names.size === view.countOf(Player), 'user names and players differ in number')
    const { first, step } = sampleOf(view, Player)
    for (let player = first; player <= view.highOf(Player); player += step) {
      if (alive[player] === 0) continue
      const key = usernameKey(view.texts.get(username[player]))
      assert(names.get(key) === seq[player], `user name ${key} leads to another player`)
    }
  },
}

export const channelsAreHeld: CheckDef = {
  name: 'presence: the channels of a player are those that nodes hold',
  run(view, full) {
    if (!full) return
    const { bound } = view.read(Player)
    for (const [number, holders] of view.records(PRESENCE).entries()) {
      const player = view.rowOf(Player, Number(number))
      const held = holders.reduce((all, [, channels]) => all | channels, 0)
      assert(held === bound[player], `player ${number} is bound where no node holds it`)
    }
  },
}
