/** What time does to factions. Source: factions.md sections 1, 3 and 11. */
import { FACTION_LEADER_AWAY_TICKS, FACTION_REVIEW_TICKS } from '../../core/limits-faction.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isBound, usernameOf } from '../account/rules.ts'
import { Faction, FactionStore, Membership } from './columns.ts'
import { expireInvites } from './invites.ts'
import { freeNames } from './member-rules.ts'
import { LEADER } from './permissions.ts'
import { giveRole, successorOf } from './ranks.ts'
import { factionName } from './rules.ts'
import { foldLostBuckets } from './store-rules.ts'
import { tellFaction } from './tell.ts'

/** Offline for thirty days, from joining on. */
function isAway(view: WorldView, player: Eid): boolean {
  if (isBound(view, player)) return false
  const since = Math.max(
    view.read(Player).goneTick[player],
    view.read(Membership).joinedTick[player],
  )
  return view.tick - since >= FACTION_LEADER_AWAY_TICKS
}

/** Has another lead a faction whose leader is away; ours: nobody who is away himself. */
function reviewLeader(world: World, faction: Row): void {
  const leader = world.read(Faction).leader[faction]
  if (!isAway(world, leader)) return
  const next = successorOf(world, faction, (member) => !isAway(world, member))
  if (next === 0) return
  giveRole(world, faction, next, LEADER)
  const [who, whom] = [usernameOf(world, next), usernameOf(world, leader)]
  tellFaction(world, faction, {
    event: 'leader_changed',
    actor: next,
    target: leader,
    message: `${who} leads ${factionName(world, faction)}: ${whom} was long away.`,
  })
}

/** Invitations, refusals and kept names end when they are due. */
export const lapsing: SystemDef = {
  name: 'faction.lapse',
  phase: 'arrive',
  reads: [],
  writes: [],
  run(world) {
    expireInvites(world)
    freeNames(world)
  },
}

/** Every faction, and every bucket, is looked at once in FACTION_REVIEW_TICKS. */
export const reviewing: SystemDef = {
  name: 'faction.review',
  phase: 'produce',
  reads: [Player],
  writes: [Faction, Membership, FactionStore],
  run(world) {
    const { alive } = world.read(Faction)
    const high = world.highOf(Faction)
    const first = 1 + (world.tick % FACTION_REVIEW_TICKS)
    for (let row = first; row <= high; row += FACTION_REVIEW_TICKS) {
      if (alive[row] === 1) reviewLeader(world, row)
    }
    foldLostBuckets(world)
  },
}
