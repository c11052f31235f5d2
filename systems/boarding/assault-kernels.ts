/**
 * The arithmetic of boarding: latching, the assault, the losses of people from it and from weapon
 * fire. Pure integer functions for the kernels. Source: combat.md sections 9, 10.
 */
import { clamp } from '../../core/math.ts'

/** Progress at which a boarder has latched on. */
export const LATCHED = 100
/** Progress lost in a tick without contact or against shields. */
export const LATCH_SLIP = 20
const SHIELD_BOARDABLE_PCT = 25
/** Ticks without progress after which a boarder gives up. */
export const STALLED_TICKS = 10
/** Ticks that a withdrawal takes. */
export const WITHDRAWAL_TICKS = 3
/** Luck of an assault: a factor of 0.8 … 1.2, per mille. */
export const LUCK_MIN = 800
export const LUCK_SPAN = 401
/** Weapon fire hits trunc(exposure / 5000) people, and one more by chance. */
export const HITS_DIVISOR = 5000
const MARINE_STRENGTH = 3
const LOSSES_DIVISOR = 30_000
const WITHDRAWAL_LOSS_PCT = 10
const DEATH_PCT = 30
const CREW_EFFICIENCY_MIN_PCT = 25

interface Grip {
  /** Effective speeds, AU a tick. */
  readonly attackerSpeed: number
  readonly targetSpeed: number
  readonly strength: number
  readonly resistance: number
}

/** Returns the progress of a tick in contact. */
export const latchGain = (grip: Grip): number =>
  clamp(
    25 + 5 * (grip.attackerSpeed - grip.targetSpeed) + 5 * grip.strength - 5 * grip.resistance,
    5,
    60,
  )

interface Formation {
  /** By participant: its ring, 0 the innermost, and its effective speed, AU a tick. */
  readonly ring: ArrayLike<number>
  readonly effectiveSpeed: ArrayLike<number>
}

/**
 * Returns whether the clamps of a boarder reach its target: from the innermost ring they do as many
 * rings further out as the boarder is faster, in AU a tick. ours: with both in the innermost ring,
 * as combat.md section 10 has it, no pirate could be boarded, since nobody whose guns reach goes
 * there.
 */
export const isInContact = (
  { ring, effectiveSpeed }: Formation,
  attacker: number,
  target: number,
): boolean =>
  ring[attacker] === 0 &&
  ring[target] <= Math.max(0, effectiveSpeed[attacker] - effectiveSpeed[target])

/** Returns whether a shield is too weak to keep boarders off. */
export const isShieldDown = (shield: number, shieldMax: number): boolean =>
  shield * 100 <= shieldMax * SHIELD_BOARDABLE_PCT

/** Returns the strength of the boarders, by their number and bonus. */
export const attackStrength = (committed: number, marineBonusPct: number): number =>
  Math.trunc((MARINE_STRENGTH * committed * (100 + marineBonusPct)) / 100)

interface Defenders {
  readonly marines: number
  readonly crew: number
  readonly crewBonusPct: number
  readonly defenseBonusPct: number
}

/** Returns the strength of the marines and crew who defend a hull. */
export function defenseStrength(aboard: Defenders): number {
  const crew = Math.trunc((aboard.crew * (100 + aboard.crewBonusPct)) / 100)
  const all = MARINE_STRENGTH * aboard.marines + crew
  return Math.trunc((all * (100 + aboard.defenseBonusPct)) / 100)
}

/** Returns the people a strength puts out of action in a tick, at least one. `luck`: per mille. */
export const assaultLosses = (strength: number, luck: number): number =>
  Math.max(1, Math.trunc((strength * luck) / LOSSES_DIVISOR))

/** Returns how many of the losses are injured, not dead. */
export const injuredOf = (losses: number): number => Math.trunc(losses / 2)

/** Returns the marines a withdrawal costs in a tick. */
export const withdrawalLosses = (committed: number): number =>
  Math.max(1, Math.trunc((committed * WITHDRAWAL_LOSS_PCT) / 100))

/** Returns how exposed the `fit` people aboard are to a hull hit: the people hit × HITS_DIVISOR. */
export function exposure(hullHit: number, hull: number, hullMax: number, fit: number): number {
  const share = Math.min(100, Math.trunc((hullHit * 100) / hullMax))
  return share * (100 - Math.trunc((100 * hull) / hullMax)) * fit
}

/** Returns the chance that a person hit dies, per mille; otherwise they are injured. */
export const deathPermille = (triagePct: number): number =>
  Math.trunc((DEATH_PCT * 10 * (100 - triagePct)) / 100)

/** Returns the efficiency of a crew in percent. Source: ships.md section 4. */
export const crewEfficiencyPct = (fit: number, minimum: number): number =>
  fit >= minimum ? 100 : Math.max(CREW_EFFICIENCY_MIN_PCT, Math.trunc((100 * fit) / minimum))
