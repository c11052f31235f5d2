/** Builders that expand compact lines of missions into full rows, with what a kind pays. */
import { HOUR_TICKS } from '../time.ts'
import { GOODS, itemIndex } from './goods.ts'
import type { EmpireId } from './map-types.ts'
import type {
  Dialog,
  Giver,
  IssuerRule,
  MissionRequirements,
  MissionRow,
  ObjectiveRow,
  Whither,
} from './mission-types.ts'
import type { PirateTier } from './types.ts'

/** Offer, accept, decline, complete. */
export type Talk = readonly [offer: string, accept: string, decline: string, complete: string]

interface MissionOptions {
  readonly requires?: MissionRequirements
  readonly issuers?: IssuerRule
  readonly items?: Readonly<Record<string, number>>
  readonly credits?: number
  readonly next?: string
}

type Line<W> = readonly [
  id: string,
  title: string,
  giver: Giver,
  difficulty: number,
  what: W,
  talk: Talk,
  options?: MissionOptions,
]
type Goods = readonly (readonly [item: string, quantity: number])[]

export const giver = (name: string, title: string): Giver => ({ name, title })

export const LAWFUL: IssuerRule = { kinds: ['empire', 'independent'] }
const ANYWHERE: IssuerRule = { kinds: ['empire', 'independent', 'pirate'] }
export const FRONTIER: IssuerRule = { kinds: ['independent'] }
export const PIRATES_ONLY: IssuerRule = { kinds: ['pirate'] }
export const inEmpire = (empire: EmpireId): IssuerRule => ({ kinds: ['empire'], empire })
export const atCapital = (empire: EmpireId): IssuerRule => ({
  kinds: ['empire'],
  empire,
  capital: true,
})

const dialogOf = ([offer, accept, decline, complete]: Talk): Dialog => ({
  offer,
  accept,
  decline,
  complete,
})

/** Base value of goods; an unknown one is worth -1, which the content check tells of. */
export const goodsValue = (goods: Goods): number =>
  goods.reduce((sum, [item, quantity]) => {
    const index = itemIndex(item)
    return sum + (index < 0 ? -1 : GOODS[index].base_value * quantity)
  }, 0)

interface Kind<W> {
  readonly type: string
  readonly skills: readonly string[]
  readonly hours: number
  readonly issuers: IssuerRule
  objectives(what: W): readonly ObjectiveRow[]
  credits(what: W, difficulty: number): number
  readonly creditsPerJump?: number
  provided?(what: W): Readonly<Record<string, number>>
  readonly repeatable?: false
  readonly community?: true
}

/** Rows of one kind of mission. */
function missionsOf<W>(kind: Kind<W>, lines: readonly Line<W>[]): MissionRow[] {
  return lines.map(([id, title, from, difficulty, what, talk, options = {}]) => ({
    template_id: id,
    title,
    type: kind.type,
    difficulty,
    giver: from,
    dialog: dialogOf(talk),
    objectives: kind.objectives(what),
    credits: options.credits ?? kind.credits(what, difficulty),
    creditsPerJump: kind.creditsPerJump ?? 0,
    items: options.items ?? {},
    skills: kind.skills,
    requires: options.requires ?? {},
    provided: kind.provided?.(what) ?? {},
    repeatable: kind.repeatable ?? true,
    ...(kind.community ? { community: true as const } : {}),
    ...(options.next === undefined ? {} : { chainNext: options.next }),
    ttlTicks: kind.hours * HOUR_TICKS,
    issuers: options.issuers ?? kind.issuers,
  }))
}

const deliveries = (goods: Goods, to: Whither): ObjectiveRow[] =>
  goods.map(([item, quantity]) => ({ type: 'deliver_item', item, quantity, to }))

/** Goods for the base that asks: 1,500 to 4,000 credits. Source: missions.md section 1, guide. */
export const supplies = (lines: readonly Line<Goods>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'supply',
      skills: ['trading'],
      hours: 6,
      issuers: LAWFUL,
      objectives: (goods) => deliveries(goods, 'here'),
      credits: (goods) => Math.min(4_000, Math.trunc((goodsValue(goods) * 13) / 10) + 1_400),
    },
    lines,
  )

type Collection = readonly [item: string, quantity: number]

/** Goods that all who wish give together, for pay by what each has given. */
export const collections = (lines: readonly Line<Collection>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'community',
      skills: ['trading'],
      hours: 72,
      issuers: LAWFUL,
      objectives: ([item, quantity]) => [{ type: 'contribute', item, quantity, to: 'here' }],
      credits: (goods) => Math.trunc((goodsValue([goods]) * 14) / 10),
      // boards show them beside the repeatable ones, while the collection is open
      repeatable: false,
      community: true,
    },
    lines,
  )

type Haul = readonly [goods: Goods, to: Whither]

/** Goods to buy here and sell to somebody far away: about 7,500 credits across a border. */
export const hauls = (lines: readonly Line<Haul>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'delivery',
      skills: ['trading', 'navigation'],
      hours: 12,
      issuers: ANYWHERE,
      objectives: ([goods, to]) => deliveries(goods, to),
      credits: ([goods]) => Math.trunc((goodsValue(goods) * 12) / 10) + 1_000,
      creditsPerJump: 1_100,
    },
    lines,
  )

type Errand = readonly [item: string, quantity: number, to: Whither]

/** Bound goods to bring to somebody. */
export const couriers = (lines: readonly Line<Errand>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'courier',
      skills: ['navigation', 'piloting'],
      hours: 8,
      issuers: ANYWHERE,
      objectives: ([item, quantity, to]) => deliveries([[item, quantity]], to),
      credits: () => 900,
      creditsPerJump: 1_200,
      provided: ([item, quantity]) => ({ [item]: quantity }),
    },
    lines,
  )

type Bounty = readonly [tier: PirateTier | undefined, quantity: number]

const BOUNTY_CREDITS: Readonly<Record<PirateTier, number>> = {
  T1: 2_000,
  T2: 3_500,
  T3: 6_000,
  boss: 20_000,
}

/** Pirates to destroy: 2,000 credits for the least one. */
export const bounties = (lines: readonly Line<Bounty>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'bounty',
      skills: ['weapons', 'tactics'],
      hours: 24,
      issuers: LAWFUL,
      objectives: ([tier, quantity]) => [
        { type: 'kill_pirate', quantity, ...(tier === undefined ? {} : { tier }) },
      ],
      credits: ([tier = 'T1', quantity]) => BOUNTY_CREDITS[tier] + 1_200 * (quantity - 1),
    },
    lines,
  )

/** Most that written-out objectives pay: what is only delivered pays for the goods. */
function mostFor(rows: readonly ObjectiveRow[]): number {
  if (rows.some(({ type }) => type !== 'deliver_item')) return Number.MAX_SAFE_INTEGER
  const goods = rows.map(({ item = '', quantity }) => [item, quantity] as const)
  return Math.trunc((goodsValue(goods) * 13) / 10) + 1_400
}

/** A kind whose objectives are written out; it pays so much a step of difficulty. */
export const tasks = (
  kind: Pick<Kind<unknown>, 'type' | 'skills' | 'hours'> & {
    readonly perDifficulty: number
    readonly issuers?: IssuerRule
    readonly repeatable?: false
  },
  lines: readonly Line<readonly ObjectiveRow[]>[],
): MissionRow[] =>
  missionsOf(
    {
      ...kind,
      issuers: kind.issuers ?? LAWFUL,
      objectives: (rows) => rows,
      credits: (rows, difficulty) => Math.min(kind.perDifficulty * difficulty, mostFor(rows)),
    },
    lines,
  )

/* Objectives that are written out */

export const mine = (item: string, quantity: number): ObjectiveRow => ({
  type: 'mine_item',
  item,
  quantity,
})
export const craft = (item: string, quantity: number): ObjectiveRow => ({
  type: 'craft_item',
  item,
  quantity,
})
export const sell = (item: string, quantity: number): ObjectiveRow => ({
  type: 'sell_item',
  item,
  quantity,
})
export const visit = (to: Whither): ObjectiveRow => ({ type: 'visit_system', quantity: 1, to })
export const dock = (to: Whither): ObjectiveRow => ({ type: 'dock_base', quantity: 1, to })
export const deliver = (item: string, quantity: number, to: Whither): ObjectiveRow => ({
  type: 'deliver_item',
  item,
  quantity,
  to,
})
export const kill = (quantity: number, tier?: PirateTier): ObjectiveRow => ({
  type: 'kill_pirate',
  quantity,
  ...(tier === undefined ? {} : { tier }),
})
export const count = (
  type: 'salvage_wreck' | 'scan_target' | 'survey_system' | 'hunt_creature' | 'place_order',
  quantity: number,
): ObjectiveRow => ({ type, quantity })
