/**
 * What players do, counted towards the objectives of their missions: the one function that other
 * domains call. It knows which missions a player is at, and nothing of offers or rewards.
 * Source: missions.md sections 2, 9.
 */
import { assert } from '../../core/assert.ts'
import {
  itemIndex,
  type MissionRow,
  missionTemplate,
  OBJECTIVES_MAX,
  type ObjectiveRow,
  type ObjectiveType,
} from '../../core/catalog/index.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { postingTemplate } from '../posting/rules.ts'
import { dockedBase } from '../travel/where-rules.ts'
import { Mission } from './columns.ts'

/** Missions by player in the order of acceptance, those that end by tick, and news of this tick. */
export const MISSIONS_OF = defineIndex('mission.open', () => ({
  of: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
  /** Objective that moved last, by mission. */
  moved: new Map<Row, number>(),
  /** Players whose missions are others than before the tick, in the last tick that had any. */
  changed: { tick: 0, players: new Set<Eid>() },
  /** By distress signal. */
  answering: new Map<Row, Row[]>(),
  /** Those of collections, by template. */
  giving: new Map<string, Set<Row>>(),
}))

/** Missions a player is at, in the order of acceptance. */
export const missionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(MISSIONS_OF).of.get(player) ?? []

export function templateOf(view: WorldView, mission: Row): MissionRow {
  const { posting, template } = view.read(Mission)
  if (posting[mission] !== 0) return postingTemplate(view, posting[mission])
  const id = view.texts.get(template[mission])
  const row = missionTemplate(id)
  assert(row, `mission ${mission} is of the unknown template ${id}`)
  return row
}

/** Item index, base or system row, pirate tier or player number: what the objective is about. */
export type ProgressKey = number | string

function isMeant(view: WorldView, at: number, row: ObjectiveRow, key: ProgressKey): boolean {
  switch (row.type) {
    case 'visit_system':
      return view.read(Mission).toSystem[at] === key
    case 'dock_base':
      return view.read(Mission).toBase[at] === key
    case 'kill_pirate':
      return row.tier === undefined || row.tier === key
    case 'kill_player':
      return row.player === key
    case 'mine_item':
    case 'craft_item':
    case 'sell_item':
      return row.item !== undefined && itemIndex(row.item) === key
    case 'deliver_item':
    case 'contribute':
    case 'rescue':
      return false
    default:
      return true
  }
}

/** Notes that the missions of a player, or how far they are, are others than before this tick. */
export function noteChanged(world: World, player: Eid): void {
  const { changed } = world.index(MISSIONS_OF)
  if (changed.tick !== world.tick) changed.players.clear()
  changed.tick = world.tick
  changed.players.add(player)
}

/**
 * True where the missions of a player may read otherwise than before this tick. A delivery counts
 * what is aboard at its station: docked there, whatever moves goods may have moved it.
 */
export function haveMoved(view: WorldView, player: Eid): boolean {
  const { changed } = view.index(MISSIONS_OF)
  if (changed.tick === view.tick && changed.players.has(player)) return true
  const here = dockedBase(view, player)
  const { toBase } = view.read(Mission)
  return (
    here !== 0 &&
    missionsOf(view, player).some((mission) =>
      templateOf(view, mission).objectives.some(
        ({ type }, i) => type === 'deliver_item' && toBase[mission * OBJECTIVES_MAX + i] === here,
      ),
    )
  )
}

/** Counts what a player did towards his missions; O(missions he is at). */
export function noteProgress(
  world: World,
  player: Eid,
  type: ObjectiveType,
  what: { readonly key?: ProgressKey; readonly units?: number } = {},
): void {
  const { key = 0, units = 1 } = what
  const open = world.index(MISSIONS_OF)
  const missions = open.of.get(player)
  if (!missions || units <= 0) return
  for (const mission of missions) {
    for (const [index, row] of templateOf(world, mission).objectives.entries()) {
      const at = mission * OBJECTIVES_MAX + index
      if (row.type !== type || !isMeant(world, at, row, key)) continue
      const { progress } = world.write(Mission)
      const after = Math.min(row.quantity, progress[at] + units)
      if (after === progress[at]) continue
      progress[at] = after
      open.moved.set(mission, index)
      noteChanged(world, player)
    }
  }
}
