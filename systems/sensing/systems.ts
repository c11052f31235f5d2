/** Upkeep of cloaks and sweeps, and invariants of watches. Source: travel.md sections 8, 10. */
import { assert } from '../../core/assert.ts'
import { SENSED_CONTACTS_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { Cloaked, Player } from '../account/state.ts'
import { PlayerCombat } from '../combat/state.ts'
import { logAction } from '../log/rules.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp, XP_WRITES } from '../skill/rules.ts'
import { dockedBase, poiOf } from '../travel/location-model.ts'
import { burnFuel } from '../travel/rules.ts'
import { FREE_CLOAK_LEVEL } from './commands.ts'
import { cloakedPlayers, watchedPlace, watchedPlaces, watchersOf } from './model.ts'
import { sweepWatches } from './observe-commands.ts'
import { forgetContacts, setCloak } from './rules.ts'
import { CONTACTS, Watch } from './state.ts'

export const watchesHold: CheckDef = {
  name: 'watches: each watcher of a place is listed there, and is there after a tick',
  run(view, full) {
    if (!full) return
    for (const poi of watchedPlaces(view)) {
      for (const player of watchersOf(view, poi)) {
        assert(watchedPlace(view, player) === poi, `player ${player} watches elsewhere`)
        assert(poiOf(view, player) === poi, `player ${player} watches a place where they are not`)
        assert(isBound(view, player), `player ${player} watches while offline`)
      }
    }
  },
}

export const cloaksHold: CheckDef = {
  name: 'cloaks: players listed as cloaked are cloaked; contacts are bounded',
  run(view, full) {
    if (!full) return
    const { cloaked } = view.read(Player)
    for (const player of view.byId(Player, [Cloaked])) {
      assert(cloaked[player] === 1, `player ${player} is listed as cloaked`)
    }
    for (const [observer, { seen, locked }] of view.records(CONTACTS).entries()) {
      const count = Math.max(seen.length, locked.length)
      assert(count <= SENSED_CONTACTS_MAX, `player ${observer} has ${count} contacts`)
    }
  },
}

/** XP of a tick under a cloak. Source: missions.md section 5. */
const CLOAKED_XP = 1

/** Switches off a cloak that cannot be kept up. */
function endCloak(world: World, player: Eid, reason: string): void {
  setCloak(world, player, false)
  logAction(world, player, 'ship', 'decloaked', reason)
}

/** Takes the fuel of a tick under a cloak, or ends it. An emergency cloak takes none. */
function upkeepCloak(world: World, player: Eid): void {
  if (world.read(PlayerCombat).cloakUntil[player] !== 0) return
  const ship = world.read(Player).ship[player]
  const { cloakDevice, fuel } = world.read(Ship)
  if (cloakDevice[ship] === 0) {
    endCloak(world, player, 'The cloak is off: no cloaking device is fitted any more.')
    return
  }
  if (dockedBase(world, player) !== 0) return
  if (levelOf(world, player, 'stealth') < FREE_CLOAK_LEVEL) {
    if (fuel[ship] === 0) {
      endCloak(world, player, 'The cloak is off: the ship is out of fuel.')
      return
    }
    burnFuel(world, ship, 1)
  }
  if (isBound(world, player)) awardXp(world, player, 'stealth', CLOAKED_XP)
}

export const upkeep: SystemDef = {
  name: 'sensing.upkeep',
  phase: 'produce',
  writes: [...XP_WRITES, Player, PlayerCombat, Watch],
  run(world) {
    for (const player of cloakedPlayers(world)) upkeepCloak(world, player)
    sweepWatches(world)
    forgetContacts(world)
  },
}
