/**
 * Battles on the chart, and the heat of systems: how much is fought in each. Source: WEB 1.2, 1.3.
 */
import { divCeil } from '../../core/math.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { battles } from '../combat/model.ts'
import { Battle } from '../combat/state.ts'
import { strangerSeesBattle } from '../sensing/model.ts'
import { systemIndexOf } from './chart-views.ts'

/** Returns the battles that strangers may know of, ascending by their numbers. */
export const chartedBattles = (view: WorldView): Row[] =>
  battles(view).filter((battle) => strangerSeesBattle(view, battle))

/** Ticks over which heat is summed. */
const HEAT_TICKS = 60
/** Ships that make the maximum if they fight in every tick. Source: ours. */
const HEAT_SHIPS = 10
const HEAT_MAX = 100

/** Ships that fought in a tick, by system. */
interface Fought {
  readonly tick: number
  readonly ships: ReadonlyMap<number, number>
}

/** Returns a function that lists [system, heat, …] of a tick; it remembers the recent ticks. */
export function createHeat(): (view: WorldView, charted: readonly Row[]) => Int32Array {
  let remembered: Fought[] = []
  /** Ships of the remembered ticks, by system. */
  const sums = new Map<number, number>()
  const add = ({ ships }: Fought, sign: 1 | -1): void => {
    for (const [place, number] of ships) {
      const sum = (sums.get(place) ?? 0) + sign * number
      if (sum === 0) sums.delete(place)
      else sums.set(place, sum)
    }
  }
  return (view, charted) => {
    const { system, count } = view.read(Battle)
    const ships = new Map<number, number>()
    for (const battle of charted) {
      const index = systemIndexOf(system[battle])
      ships.set(index, (ships.get(index) ?? 0) + count[battle])
    }
    const isRecent = ({ tick }: Fought) => tick < view.tick && tick > view.tick - HEAT_TICKS
    for (const old of remembered) if (!isRecent(old)) add(old, -1)
    const fresh = { tick: view.tick, ships }
    add(fresh, 1)
    remembered = [...remembered.filter(isRecent), fresh]
    const heat = (sum: number) =>
      Math.min(HEAT_MAX, divCeil(sum * HEAT_MAX, HEAT_TICKS * HEAT_SHIPS))
    const sorted = [...sums].sort(([a], [b]) => a - b)
    return Int32Array.from(sorted.flatMap(([place, sum]) => [place, heat(sum)]))
  }
}
