/**
 * Jettison: goods thrown out of the hold drift in a container, one for each place and jettisoning
 * player, which anybody may loot until it is swept away. Source: trade-storage.md section 4,
 * salvage.md section 7.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { wireId } from '../../core/entity.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import {
  Container,
  closeContainer,
  contentsOf,
  moveItems,
  namedContainer,
  openContainer,
  Stack,
  unitsIn,
} from '../../core/goods.ts'
import { JETTISON_KINDS_MAX, JETTISON_TICKS } from '../../core/limits.ts'
import type { SystemDef } from '../../core/system.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { addStat } from '../account/rules.ts'
import { logAction } from '../log/rules.ts'
import { poiName, poiOf } from '../travel/rules.ts'
import { JettisonContainer } from './columns.ts'
import { cargoUnits, findGood, isNearlyFull, isStoreNearlyFull, unloadCargo } from './rules.ts'

/** Container row by place and player, and rows by a tick in which they may be due. */
const ADRIFT = defineIndex('cargo.adrift', () => ({
  byKey: new Map<number, Row>(),
  due: new Map<number, Row[]>(),
}))
/** More rows than there are players: keys stay apart and below 2^53. */
const PLAYER_ROWS = 0x1000000
const keyOf = (poi: Eid, player: Eid): number => poi * PLAYER_ROWS + player

/** The player's container at a place; 0 none. */
export const containerAt = (view: WorldView, poi: Eid, player: Eid): Row =>
  view.index(ADRIFT).byKey.get(keyOf(poi, player)) ?? 0

export const containerId = (view: WorldView, row: Row): string =>
  wireId(view.seed, JettisonContainer.name, view.read(JettisonContainer).number[row])

function expect(world: World, row: Row, tick: number): void {
  const { due } = world.index(ADRIFT)
  const rows = due.get(tick)
  if (rows) rows.push(row)
  else due.set(tick, [row])
}

function openAdrift(world: World, poi: Eid, player: Eid): Row {
  const container = openContainer(world)
  const row = world.take(JettisonContainer)
  const columns = world.write(JettisonContainer)
  columns.number[row] = world.nextNumber(JettisonContainer.name)
  columns.poi[row] = poi
  columns.player[row] = player
  columns.container[row] = container
  columns.createdMs[row] = world.wallMs
  columns.createdTick[row] = world.tick
  columns.expireTick[row] = world.tick + JETTISON_TICKS
  world.index(ADRIFT).byKey.set(keyOf(poi, player), row)
  expect(world, row, columns.expireTick[row])
  return row
}

export interface Jettisoned {
  /** 0: nothing is left of it (adrift between systems). */
  readonly container: Row
  readonly item: number
  readonly units: number
}

function refuse(world: World, player: Eid, item: number, units: number): Failure | undefined {
  const have = cargoUnits(world, world.read(Player).ship[player], item)
  if (have < units) return fail('insufficient_items', { need: units, have })
  if (isStoreNearlyFull(world)) return fail('limit_reached')
  const poi = poiOf(world, player)
  if (poi === 0) return undefined
  const row = containerAt(world, poi, player)
  if (row === 0) return isNearlyFull(world, JettisonContainer) ? fail('limit_reached') : undefined
  const { container } = world.read(JettisonContainer)
  const kinds = world.read(Container).kinds[container[row]]
  const isNew = unitsIn(world, container[row], item) === 0
  return isNew && kinds >= JETTISON_KINDS_MAX ? fail('limit_reached') : undefined
}

/**
 * Throws units of a good out of the hold, at the place of the ship. Refusals: unknown_item,
 * insufficient_items, limit_reached.
 */
export function jettisonItem(
  world: World,
  player: Eid,
  text: string,
  units: number,
): Outcome<Jettisoned> {
  const found = findGood(text)
  if (!found.ok) return found
  const item = found.result
  const refused = refuse(world, player, item, units)
  if (refused) return refused
  const row = containerFor(world, player)
  // A bound item is of use to its owner only: it is destroyed, as is what is thrown into the void.
  const isLost = row === 0 || GOODS[item].quest_item === true
  const to = isLost
    ? namedContainer('jettison_expired')
    : world.read(JettisonContainer).container[row]
  unloadCargo(world, world.read(Player).ship[player], to, item, units)
  addStat(world, player, 'items_jettisoned', units)
  const poi = poiOf(world, player)
  const where = poi === 0 ? 'off the lanes' : `at ${poiName(world, poi)}`
  const said = `Jettisoned ${units} ${GOODS[item].name} ${where}.`
  logAction(world, player, 'storage', 'jettison', said, {
    item_id: GOODS[item].id,
    quantity: units,
  })
  return ok({ container: row, item, units })
}

/** The player's container at the place of the ship, for a while from now; 0 adrift. */
function containerFor(world: World, player: Eid): Row {
  const poi = poiOf(world, player)
  if (poi === 0) return 0
  const row = containerAt(world, poi, player) || openAdrift(world, poi, player)
  world.write(JettisonContainer).expireTick[row] = world.tick + JETTISON_TICKS
  return row
}

export interface JettisonRow {
  readonly item_id: string
  readonly quantity: number
}

interface RowResult extends JettisonRow {
  success: boolean
  item_name?: string
  error?: ErrorCode
  message?: string
}

/**
 * Several rows in order; each commits or fails alone. When none succeeds: the refusal of the first.
 */
export function jettisonRows(
  world: World,
  player: Eid,
  rows: readonly JettisonRow[],
): Outcome<Record<string, unknown>> {
  let first: Failure | undefined
  let container = 0
  const results = rows.map(({ item_id, quantity }): RowResult => {
    const done = jettisonItem(world, player, item_id, quantity)
    if (!done.ok) {
      first ??= done
      return { item_id, quantity, success: false, error: done.code, message: done.message }
    }
    container = done.result.container
    const { id, name } = GOODS[done.result.item]
    return { item_id: id, item_name: name, quantity, success: true }
  })
  const succeeded = results.filter((row) => row.success).length
  if (succeeded === 0 && first) return first
  return ok({
    action: 'bulk_jettison',
    container_id: container === 0 ? '' : containerId(world, container),
    requested: rows.length,
    succeeded,
    failed: rows.length - succeeded,
    message: `Jettisoned ${succeeded} of ${rows.length} kinds of goods.`,
    results,
  })
}

/** Takes a container off the map with all that is in it. */
function sweepAway(world: World, row: Row): void {
  const { poi, player, container } = world.read(JettisonContainer)
  for (const { item, units } of contentsOf(world, container[row])) {
    moveItems(world, container[row], namedContainer('jettison_expired'), item, units)
  }
  closeContainer(world, container[row])
  world.index(ADRIFT).byKey.delete(keyOf(poi[row], player[row]))
  world.release(JettisonContainer, row)
}

/**
 * Sweeps away what nothing was added to for 60 ticks. Looks only at what may be due. Source:
 * trade-storage.md 6.
 */
export const sweep: SystemDef = {
  name: 'cargo.sweep',
  phase: 'produce',
  reads: [],
  writes: [JettisonContainer, Container, Stack],
  run(world) {
    const { due } = world.index(ADRIFT)
    const rows = due.get(world.tick)
    if (!rows) return
    due.delete(world.tick)
    const { number, expireTick } = world.read(JettisonContainer)
    for (const row of rows.sort((a, b) => number[a] - number[b])) {
      if (expireTick[row] <= world.tick) sweepAway(world, row)
      else expect(world, row, expireTick[row])
    }
  },
}

/** Fills the index of containers from the table, after a restore. */
export function rebuildAdrift(world: World): void {
  const adrift = world.index(ADRIFT)
  adrift.byKey.clear()
  adrift.due.clear()
  const { alive, poi, player, expireTick } = world.read(JettisonContainer)
  for (let row = 1; row <= world.highOf(JettisonContainer); row++) {
    if (alive[row] === 0) continue
    adrift.byKey.set(keyOf(poi[row], player[row]), row)
    expect(world, row, expireTick[row])
  }
}
