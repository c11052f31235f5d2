/**
 * What time does to factions. Source: factions.md sections 1, 3 and 11.
 *
 * What factions say of their members.
 */
import { grant } from '../../core/guard.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound, usernameOf } from '../account/model.ts'
import { allied, Player } from '../account/state.ts'
import { areFellows, factionName } from './model.ts'
import { giveRole, successorOf } from './ranks-commands.ts'
import { expireInvites, notifyFaction } from './rules.ts'
import {
  FACTION_LEADER_AWAY_TICKS,
  FACTION_REVIEW_TICKS,
  Faction,
  FactionStore,
  Membership,
} from './state.ts'
import { LEADER } from './store-model.ts'
import { foldLostBuckets, freeNames } from './store-rules.ts'

export const fellowsStandTogether = grant(allied, (view, { player, other }) =>
  areFellows(view, player, other),
)

/** Offline for thirty days, from joining on. */
function isAway(view: WorldView, player: Eid): boolean {
  if (isBound(view, player)) return false
  const since = Math.max(
    view.read(Player).goneTick[player],
    view.read(Membership).joinedTick[player],
  )
  return view.tick - since >= FACTION_LEADER_AWAY_TICKS
}

/** Has another lead a faction whose leader is away; ours: nobody who is away themselves. */
function reviewLeader(world: World, faction: Row): void {
  const leader = world.read(Faction).leader[faction]
  if (!isAway(world, leader)) return
  const next = successorOf(world, faction, (member) => !isAway(world, member))
  if (next === 0) return
  giveRole(world, faction, next, LEADER)
  const [who, whom] = [usernameOf(world, next), usernameOf(world, leader)]
  notifyFaction(world, faction, {
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
