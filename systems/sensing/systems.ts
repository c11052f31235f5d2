/** What hiding and looking cost a tick. Source: travel.md sections 8, 10. */
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isBound } from '../account/rules.ts'
import { Lives } from '../combat/columns.ts'
import { logAction } from '../log/rules.ts'
import { Ship } from '../ship/columns.ts'
import { PlayerSkills } from '../skill/columns.ts'
import { awardXp, levelOf } from '../skill/rules.ts'
import { Location } from '../travel/columns.ts'
import { burnFuel, dockedBase } from '../travel/rules.ts'
import { Watch } from './columns.ts'
import { FREE_CLOAK_LEVEL } from './commands.ts'
import { sweepWatches } from './observe.ts'
import { cloakedPlayers, forgetContacts, setCloak } from './rules.ts'

/** XP of a tick under a cloak. Source: missions.md section 5. */
const CLOAKED_XP = 1

/** A cloak that can be held no longer goes off. */
function drop(world: World, player: Eid, why: string): void {
  setCloak(world, player, false)
  logAction(world, player, 'ship', 'decloaked', why)
}

/** Takes the fuel of a tick under a cloak, or the cloak. An emergency cloak lives on its own. */
function keepCloak(world: World, player: Eid): void {
  if (world.read(Lives).cloakUntil[player] !== 0) return
  const ship = world.read(Player).ship[player]
  const { cloakDevice, fuel } = world.read(Ship)
  if (cloakDevice[ship] === 0) {
    drop(world, player, 'There is no cloaking device any more.')
    return
  }
  if (dockedBase(world, player) !== 0) return
  if (levelOf(world, player, 'stealth') < FREE_CLOAK_LEVEL) {
    if (fuel[ship] === 0) {
      drop(world, player, 'The cloak is out of fuel.')
      return
    }
    burnFuel(world, ship, 1)
  }
  if (isBound(world, player)) awardXp(world, player, 'stealth', CLOAKED_XP)
}

export const upkeep: SystemDef = {
  name: 'sensing.upkeep',
  phase: 'produce',
  reads: [Lives, Location],
  writes: [Player, Ship, PlayerSkills, Watch],
  run(world) {
    for (const player of cloakedPlayers(world)) keepCloak(world, player)
    sweepWatches(world)
    forgetContacts(world)
  },
}
