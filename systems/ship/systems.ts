/**
 * What happens to ships each tick and after their owner has gained a level, and their invariants.
 */
import { assert } from '../../core/assert.ts'
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { sampleOf } from '../../core/invariants.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { levelled } from '../skill/state.ts'
import { SHIP_SKILLS } from './derive-model.ts'
import { isRecovering, shipsOf } from './model.ts'
import { deriveFigures, recompute, trackShield } from './rules.ts'
import { Recovering, SHIP_NAMES, Ship } from './state.ts'

/** Fails if a value is out of range; only then formats the message, which costs more than that. */
function within(ship: Eid, name: string, value: number, high: number): void {
  if (value < 0 || value > high) assert(false, `ship ${ship}: ${name} ${value} not in 0…${high}`)
}

function checkRanges(columns: ReturnType<typeof readShips>, ship: Eid, isFlown: boolean): void {
  within(ship, 'hull', columns.hull[ship], columns.hullMax[ship])
  within(ship, 'shield', columns.shield[ship], columns.shieldMax[ship])
  within(ship, 'fuel', columns.fuel[ship], columns.fuelMax[ship])
  within(ship, 'issue fuel', columns.issueFuel[ship], columns.fuel[ship])
  within(ship, 'cargo', columns.cargoUsed[ship], columns.cargoCap[ship])
  // A captured hull may carry more than its new owner's engineering allows, until they fly it.
  if (isFlown) {
    within(ship, 'CPU', columns.cpuUsed[ship], columns.cpuCap[ship])
    within(ship, 'power', columns.powerUsed[ship], columns.powerCap[ship])
  }
  for (let slot = ship * 3; slot < ship * 3 + 3; slot++) {
    within(ship, 'slots', columns.slotsUsed[slot], columns.slotsCap[slot])
  }
  within(ship, 'crew', columns.crewFit[ship] + columns.crewInjured[ship], columns.crewCap[ship])
  within(
    ship,
    'marines',
    columns.marinesFit[ship] + columns.marinesInjured[ship],
    columns.marineCap[ship],
  )
}

const readShips = (view: WorldView) => view.read(Ship)

/** Checks every ship: a dozen reads each. */
export const shipRanges: CheckDef = {
  name: 'I8 ships within their ranges, fits within slots, CPU and power',
  run(view, full) {
    if (!full) return
    const columns = readShips(view)
    const flown = view.read(Player).ship
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (columns.alive[ship] === 0) continue
      if (columns.class[ship] >= SHIP_CLASSES.length) assert(false, `ship ${ship}: unknown class`)
      const owner = columns.owner[ship]
      checkRanges(columns, ship, owner !== 0 && flown[owner] === ship)
    }
  },
}

const DERIVED = ['hullMax', 'shieldMax', 'fuelMax', 'cargoCap', 'baseSpeed', 'cpuUsed'] as const

function checkFigures(view: WorldView, columns: ReturnType<typeof readShips>, ship: Eid): void {
  const figures = deriveFigures(view, ship)
  for (const name of DERIVED) {
    assert(columns[name][ship] === figures[name], `ship ${ship}: ${name} is stale`)
  }
}

/** Recomputes ships and compares; in a large world only a sample of them. */
export const shipsConsistent: CheckDef = {
  name: 'ships: figures and tags agree with what they derive from',
  run(view, full) {
    if (!full) return
    const columns = readShips(view)
    const { first, step } = sampleOf(view, Ship)
    for (let ship = first; ship <= view.highOf(Ship); ship += step) {
      if (columns.alive[ship] === 0) continue
      checkFigures(view, columns, ship)
      const recovering = isRecovering(view, ship)
      assert(view.has(Ship, ship, Recovering) === recovering, `ship ${ship}: shield tag is stale`)
    }
  },
}

/** Checks every name: few ships have one. */
export const namesAreUnique: CheckDef = {
  name: 'ships: a name that was given leads to the one ship that bears it',
  run(view, full) {
    if (!full) return
    const { alive, name } = readShips(view)
    for (const [key, seq] of view.records(SHIP_NAMES).entries()) {
      const ship = view.rowOf(Ship, seq)
      assert(ship !== 0 && alive[ship] === 1, `the name ${key} leads to no ship`)
      const actual = usernameKey(view.texts.get(name[ship]))
      assert(actual === key, `ship ${ship} is called ${actual}, not ${key}`)
    }
  },
}

/** Recomputes a player's ships after a level in a skill that changes them. */
export const recomputeOnLevel = observe(levelled, (world, { player, skill }) => {
  if (!SHIP_SKILLS.has(skill)) return
  for (const ship of shipsOf(world, player)) recompute(world, ship)
})

/**
 * Regrows shields by their recharge; hulls never regrow. Only ships below their maximum are
 * visited: they carry a tag. Source: ships.md section 2.
 */
export const regenerate: SystemDef = {
  name: 'ship.regenerate',
  phase: 'produce',
  writes: [Ship],
  run(world) {
    const recovering = world.byId(Ship, [Recovering])
    if (recovering.length === 0) return
    const { shield, shieldMax, shieldRegen } = world.write(Ship)
    for (const ship of recovering) {
      shield[ship] = Math.min(shieldMax[ship], shield[ship] + shieldRegen[ship])
      trackShield(world, ship)
    }
  },
}
