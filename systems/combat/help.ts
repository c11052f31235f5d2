/**
 * Step of combat.mend: remote repair. Every carrier mends the ship of its side with the lowest hull
 * percentage that is not itself: two of a side at most, the lowest, and for that one the next.
 * Source: combat.md section 9, step H8.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Battle, Participant, SIDES_WIDTH, Turn } from './columns.ts'
import { REPAIR_PCT, share } from './damage.ts'
import type { Pass } from './mend.ts'
import type { Muster } from './muster.ts'

const NOBODY = 0xffffffff
const FULL_PCT = 100
/** Repairers on one ship that count more than the rest. */
const GRADED = REPAIR_PCT.length - 1

/** The two of each side that are worst off. */
function makeTriage(columns: KernelColumns) {
  const { ship, side, fate } = columns.of(Participant)
  const { hull, hullMax } = columns.of(Ship)
  const lowest = new Uint32Array(SIDES_WIDTH)
  const second = new Uint32Array(SIDES_WIDTH)

  const percentOf = (row: number): number =>
    row === NOBODY ? FULL_PCT : Math.trunc((FULL_PCT * hull[ship[row]]) / hullMax[ship[row]])

  return {
    lowest,
    second,
    isAlive: (row: number): boolean => hull[ship[row]] > 0 && fate[row] === 0,
    clear(): void {
      lowest.fill(NOBODY)
      second.fill(NOBODY)
    },
    /** Members come in order of seq: the first of equals stays. */
    look(row: number): void {
      const of = side[row]
      const percent = percentOf(row)
      if (percent < percentOf(lowest[of])) {
        second[of] = lowest[of]
        lowest[of] = row
      } else if (percent < percentOf(second[of])) second[of] = row
    },
  }
}

/** Powers laid on the worst of each side: the greatest few in order, the rest as a sum. */
function createPowers() {
  const graded = new Uint32Array(SIDES_WIDTH * GRADED)
  const rest = new Uint32Array(SIDES_WIDTH)
  return {
    clear(): void {
      graded.fill(0)
      rest.fill(0)
    },
    add(of: number, power: number): void {
      let left = power
      for (let at = of * GRADED; at < (of + 1) * GRADED; at++) {
        if (left <= graded[at]) continue
        const moved = graded[at]
        graded[at] = left
        left = moved
      }
      rest[of] += share(left, REPAIR_PCT[GRADED])
    },
    sum(of: number): number {
      let power = rest[of]
      for (let k = 0; k < GRADED; k++) power += share(graded[of * GRADED + k], REPAIR_PCT[k])
      return power
    },
  }
}

export function makeHelp(columns: KernelColumns, { rows }: Muster): Pass {
  const { sides } = columns.of(Battle)
  const { ship, side, remotePower } = columns.of(Participant)
  const { hull, hullMax } = columns.of(Ship)
  const { hullHelped } = columns.of(Turn)
  const triage = makeTriage(columns)
  const powers = createPowers()
  const { lowest, second } = triage

  function mend(row: number, power: number): void {
    const points = Math.min(power, hullMax[ship[row]] - hull[ship[row]])
    hull[ship[row]] += points
    hullHelped[row] += points
  }

  function help(battle: number, count: number): void {
    triage.clear()
    powers.clear()
    for (let i = 0; i < count; i++) if (triage.isAlive(rows[i])) triage.look(rows[i])
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const isCarrier = remotePower[row] !== 0 && lowest[side[row]] !== row
      if (isCarrier && triage.isAlive(row)) powers.add(side[row], remotePower[row])
    }
    for (let of = 1; of <= sides[battle]; of++) {
      const worst = lowest[of]
      if (worst === NOBODY) continue
      if (second[of] !== NOBODY) mend(second[of], remotePower[worst])
      mend(worst, powers.sum(of))
    }
  }

  return (battle, count) => {
    let carriers = 0
    for (let i = 0; i < count; i++) if (remotePower[rows[i]] !== 0) carriers++
    if (carriers > 0) help(battle, count)
  }
}
