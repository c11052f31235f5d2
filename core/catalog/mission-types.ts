/** The shape of missions: objectives, where they are offered, by whom, and their rewards. */
import type { EmpireId } from './map-types.ts'
import type { PirateTier } from './types.ts'

/** What an objective counts. Source: missions.md section 2. */
export const OBJECTIVE_TYPES = [
  'deliver_item',
  'visit_system',
  'dock_base',
  'kill_pirate',
  'kill_player',
  'mine_item',
  'craft_item',
  'sell_item',
  'salvage_wreck',
  'scan_target',
  'survey_system',
  'hunt_creature',
  'place_order',
  'contribute',
  'rescue',
  'arena_bout',
  'escort_convoy',
] as const
export type ObjectiveType = (typeof OBJECTIVE_TYPES)[number]

/**
 * Where an objective leads, from the base that offers it: the base itself, one jump away, one to
 * three, four to eight, a capital, or lawless space.
 */
export type ObjectiveTarget = 'here' | 'next' | 'near' | 'far' | 'capital' | 'lawless' | EmpireId

export interface ObjectiveRow {
  readonly type: ObjectiveType
  readonly item?: string
  readonly quantity: number
  readonly tier?: PirateTier
  /** Number of the player to be hunted. */
  readonly player?: number
  readonly to?: ObjectiveTarget
  /** Description by the player who posted it. */
  readonly text?: string
}

/** Bases that offer a template. */
export interface IssuerRule {
  readonly kinds: readonly ('empire' | 'independent' | 'pirate')[]
  readonly empire?: EmpireId
  readonly capital?: true
}

export interface Giver {
  readonly name: string
  readonly title: string
}

/** What the giver says. */
export interface Dialog {
  readonly offer: string
  readonly accept: string
  readonly decline: string
  readonly complete: string
}

export interface MissionRequirements {
  /** Standing with the empire of the base. */
  readonly reputation?: number
  readonly skills?: Readonly<Record<string, number>>
  readonly completed?: readonly string[]
  /** Families of modules on the ship flown. */
  readonly modules?: readonly string[]
  readonly empire?: EmpireId
}

/** Limits of what a mission pays for goods, credits. */
export interface GoodsPay {
  readonly min: number
  readonly max: number
}

export interface MissionRow {
  readonly template_id: string
  readonly title: string
  readonly type: string
  /** 1-10. */
  readonly difficulty: number
  readonly giver: Giver
  readonly dialog: Dialog
  /** One to four. */
  readonly objectives: readonly ObjectiveRow[]
  readonly credits: number
  /** Added for each jump to the farthest target. */
  readonly creditsPerJump: number
  /** For goods to be bought: the payment follows their cost where they are sold. */
  readonly goodsPay?: GoodsPay
  readonly items: Readonly<Record<string, number>>
  /** One or two skills; each gets 30 times the difficulty, unless `xp` says otherwise. */
  readonly skills: readonly string[]
  readonly xp?: Readonly<Record<string, number>>
  readonly requires: MissionRequirements
  /** Bound goods handed over at acceptance. */
  readonly provided: Readonly<Record<string, number>>
  readonly repeatable: boolean
  readonly chainNext?: string
  /** Ticks from acceptance. */
  readonly ttlTicks: number
  readonly issuers: IssuerRule
  /** The season in which boards of its region show it, besides those that are drawn. */
  readonly season?: string
  /** Everybody contributes to one total: its only objective is `contribute`. */
  readonly community?: true
  /** Not on catalogue boards: a faction posts and pays it, or a distress signal creates it. */
  readonly kind?: 'posting' | 'rescue'
  /** Description; absent: the objectives describe it. */
  readonly description?: string
}
