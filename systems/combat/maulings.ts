/**
 * Who did how much to a pirate: the damage of each player in the fight it is in, his drones' with
 * it, so that everybody who had a good part in its end has hunted it. Source: missions.md 2.
 */
import { MAULERS_MAX } from '../../core/limits-posting.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { masterOf } from '../drone/hull-rules.ts'
import { battles } from './battles.ts'
import { Attack, Battle, Mauling, PARTICIPANT_KINDS, Participant } from './columns.ts'
import { pilotOf } from './views.ts'

const PIRATE = PARTICIPANT_KINDS.indexOf('pirate')
/** Part of all damage that makes a hunter, percent. */
const SHARE_PCT = 20
/** Hunters of one pirate, whoever destroyed it among them. */
const HUNTERS_MAX = 5

/** Players who have hurt a pirate, and how much. */
function maulingsOf(view: WorldView, row: Row): Row[] {
  const { next } = view.read(Mauling)
  const rows: Row[] = []
  for (let at = view.read(Participant).mauled[row]; at !== 0; at = next[at]) rows.push(at)
  return rows
}

/** The row to count a player's damage in; 0 where there is no room. */
function rowFor(world: World, row: Row, player: Eid, points: number): Row {
  const known = maulingsOf(world, row)
  const columns = world.write(Mauling)
  const found = known.find((at) => columns.player[at] === player)
  if (found !== undefined) return found
  if (known.length < MAULERS_MAX) {
    if (world.roomIn(Mauling) === 0) return 0
    const made = world.take(Mauling)
    const { mauled } = world.write(Participant)
    columns.player[made] = player
    columns.next[made] = mauled[row]
    mauled[row] = made
    return made
  }
  // ours: with eight at it the least gives way, who is far from a fifth of it
  const least = known.reduce((a, b) => (columns.points[b] < columns.points[a] ? b : a))
  if (columns.points[least] >= points) return 0
  columns.player[least] = player
  columns.points[least] = 0
  return least
}

function maul(world: World, row: Row, by: Row, points: number): void {
  const player = pilotOf(world, by) || masterOf(world, world.read(Participant).ship[by])
  const at = player === 0 ? 0 : rowFor(world, row, player, points)
  if (at !== 0) world.write(Mauling).points[at] += points
}

/** Counts the attacks of a battle on pirates. O(attacks). */
function count(world: World, battle: Row): void {
  const { firstAttack, attackCount } = world.read(Battle)
  const { attacker, target, shieldHit, hullHit } = world.read(Attack)
  const { kind } = world.read(Participant)
  const end = firstAttack[battle] + attackCount[battle]
  for (let entry = firstAttack[battle]; entry < end; entry++) {
    if (kind[target[entry]] !== PIRATE || attacker[entry] === 0) continue
    const points = shieldHit[entry] + hullHit[entry]
    if (points > 0) maul(world, target[entry], attacker[entry], points)
  }
}

/** After the weapons, before anybody is gone. */
export const mauling: SystemDef = {
  name: 'combat.maul',
  phase: 'fight',
  reads: [Battle, Attack],
  writes: [Participant, Mauling],
  run(world) {
    for (const battle of battles(world)) count(world, battle)
  },
}

/**
 * Players who did a fifth of the damage to a pirate or more, besides the one who destroyed it: most
 * damage first, then by number; five with him at most.
 */
export function huntersOf(view: WorldView, row: Row, killer: Eid): Eid[] {
  const { player, points } = view.read(Mauling)
  const { seq } = view.read(Player)
  const total = view.read(Participant).taken[row]
  return maulingsOf(view, row)
    .filter((at) => player[at] !== killer && 100 * points[at] >= SHARE_PCT * total)
    .sort((a, b) => points[b] - points[a] || seq[player[a]] - seq[player[b]])
    .slice(0, killer === 0 ? HUNTERS_MAX : HUNTERS_MAX - 1)
    .map((at) => player[at])
}

/** Forgets who hurt a participant that leaves. */
export function forgetMaulings(world: World, row: Row): void {
  for (const at of maulingsOf(world, row)) world.release(Mauling, at)
  world.write(Participant).mauled[row] = 0
}
