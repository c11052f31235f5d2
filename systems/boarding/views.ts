/** Wire forms of boardings as everyone may see them: without numbers of people. */
import type { Static } from '../../core/params.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { combatantId } from '../combat/model.ts'
import type { boardingSchema } from '../combat/schemas.ts'
import { Participant } from '../combat/state.ts'
import { Ship } from '../ship/state.ts'
import {
  attackStrength,
  defenseStrength,
  isInContact,
  isShieldDown,
  LATCHED,
  WITHDRAWAL_TICKS,
} from './assault-kernels.ts'
import { linksOf, operationId } from './model.ts'
import { Boarding, LINK_PHASES, Link } from './state.ts'

const PROGRESS = ['low', 'medium', 'high'] as const
type Progress = (typeof PROGRESS)[number]

const thirdOf = (done: number, total: number): Progress =>
  PROGRESS[Math.min(2, Math.trunc((3 * done) / total))]

/** Returns how the boarders fare: high or low once one side is at least twice as strong. */
function upperHand(view: WorldView, row: Row): Progress {
  const { attacker, target, committed } = view.read(Link)
  const { marinesFit, crewFit } = view.read(Ship)
  const boarding = view.read(Boarding)
  const hull = view.read(Participant).ship[target[row]]
  const strength = attackStrength(committed[row], boarding.marineBonusPct[attacker[row]])
  const defense = defenseStrength({
    marines: marinesFit[hull],
    crew: crewFit[hull],
    crewBonusPct: boarding.crewBonusPct[target[row]],
    defenseBonusPct: boarding.defenseBonusPct[target[row]],
  })
  if (strength >= 2 * defense) return 'high'
  return defense >= 2 * strength ? 'low' : 'medium'
}

function progressOf(view: WorldView, row: Row): Progress {
  const { phase, progress, timer } = view.read(Link)
  const name = LINK_PHASES[phase[row]]
  if (name === 'closing') return thirdOf(progress[row], LATCHED)
  if (name === 'assault') return upperHand(view, row)
  return thirdOf(WITHDRAWAL_TICKS - timer[row], WITHDRAWAL_TICKS)
}

/** States of latching on; a ship too far away is out of range whatever its target's shields. */
export const LATCH_STATUS = ['accruing', 'shields_holding', 'out_of_range'] as const

/** Returns the state of latching on of a closing boarder; undefined for others. */
export function latchStatus(
  view: WorldView,
  participant: Row,
): (typeof LATCH_STATUS)[number] | undefined {
  const { attacker, target, phase } = view.read(Link)
  const link = view.read(Boarding).link[participant]
  if (link === 0 || attacker[link] !== participant || LINK_PHASES[phase[link]] !== 'closing') {
    return undefined
  }
  const participants = view.read(Participant)
  if (!isInContact(participants, participant, target[link])) return 'out_of_range'
  const { shield, shieldMax } = view.read(Ship)
  const hull = participants.ship[target[link]]
  return isShieldDown(shield[hull], shieldMax[hull]) ? 'accruing' : 'shields_holding'
}

/** Lists a battle's boardings, in order of starting. Source: combat.md section 10. */
export function renderBoardings(view: WorldView, battle: Row): Static<typeof boardingSchema>[] {
  const { attacker, target, phase } = view.read(Link)
  const { selfDestructTicks } = view.read(Participant)
  return linksOf(view, battle).map((row) => {
    const countdown = selfDestructTicks[target[row]] || selfDestructTicks[attacker[row]]
    return {
      operation_id: operationId(view, row),
      attacker_id: combatantId(view, attacker[row]),
      target_id: combatantId(view, target[row]),
      phase: LINK_PHASES[phase[row]],
      progress: progressOf(view, row),
      ...(countdown === 0 ? {} : { self_destruct_ticks: countdown }),
    }
  })
}
