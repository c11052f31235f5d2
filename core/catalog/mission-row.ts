/** Builders that expand compact lines of missions into full rows, with the rewards of each kind. */
import { HOUR_TICKS } from '../time.ts'
import { GOODS, itemIndex } from './goods.ts'
import type { EmpireId } from './map-types.ts'
import type {
  Dialog,
  Giver,
  GoodsPay,
  IssuerRule,
  MissionRequirements,
  MissionRow,
  ObjectiveRow,
  ObjectiveTarget,
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

/** Returns the person who offers a mission. */
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

/**
 * Returns the base value of goods; an unknown one counts -1, which the content check reports.
 */
export const goodsValue = (goods: Goods): number =>
  goods.reduce((sum, [item, quantity]) => {
    const index = itemIndex(item)
    return sum + (index < 0 ? -1 : GOODS[index].base_value * quantity)
  }, 0)

/** Payment for goods: percent of their cost, and credits for the handling. */
const GOODS_PCT = 110
const HANDLING_CREDITS = 250

/** Returns the payment for goods that cost this much where they are sold. Source: balance.md 5. */
export const goodsCredits = (cost: number): number =>
  Math.trunc((cost * GOODS_PCT) / 100) + HANDLING_CREDITS

const ANY_PAY: GoodsPay = { min: 0, max: Number.MAX_SAFE_INTEGER }

/**
 * Payment for errands by the units handed over, percent of that for the smallest. Source:
 * balance.md section 6.
 */
const ERRAND_SIZES = [
  { units: 8, pct: 30 },
  { units: 30, pct: 55 },
  { units: 90, pct: 115 },
  { units: 150, pct: 190 },
  { units: 400, pct: 290 },
  { units: 700, pct: 680 },
  { units: 1_200, pct: 1_000 },
] as const
const ERRAND_CREDITS = 120
const ERRAND_JUMP_CREDITS = 150

const sizeOf = (units: number): number => ERRAND_SIZES.findIndex((size) => units <= size.units)

/** Returns the size of an errand, 0 to 6; -1 if nothing is handed over. */
export function errandSize({ provided }: MissionRow): number {
  const units = Object.values(provided)
  return units.length === 0 ? -1 : sizeOf(units.reduce((sum, count) => sum + count, 0))
}

interface Kind<W> {
  readonly type: string
  readonly skills: readonly string[]
  /** Returns the experience by skill, if it is not the same for each. */
  xp?(difficulty: number): Readonly<Record<string, number>>
  readonly hours: number
  readonly issuers: IssuerRule
  objectives(what: W): readonly ObjectiveRow[]
  credits(what: W, difficulty: number): number
  creditsPerJump?(what: W): number
  goodsPay?(what: W, difficulty: number): GoodsPay | undefined
  provided?(what: W): Readonly<Record<string, number>>
  readonly repeatable?: false
  readonly community?: true
}

/** Returns the rows of one kind of mission. */
function missionsOf<W>(kind: Kind<W>, lines: readonly Line<W>[]): MissionRow[] {
  return lines.map(([id, title, from, difficulty, what, talk, options = {}]) => {
    const goodsPay = kind.goodsPay?.(what, difficulty)
    return {
      template_id: id,
      title,
      type: kind.type,
      difficulty,
      giver: from,
      dialog: dialogOf(talk),
      objectives: kind.objectives(what),
      credits: options.credits ?? kind.credits(what, difficulty),
      creditsPerJump: kind.creditsPerJump?.(what) ?? 0,
      ...(goodsPay === undefined ? {} : { goodsPay }),
      items: options.items ?? {},
      skills: kind.skills,
      ...(kind.xp ? { xp: kind.xp(difficulty) } : {}),
      requires: options.requires ?? {},
      provided: kind.provided?.(what) ?? {},
      repeatable: kind.repeatable ?? true,
      ...(kind.community ? { community: true as const } : {}),
      ...(options.next === undefined ? {} : { chainNext: options.next }),
      ttlTicks: kind.hours * HOUR_TICKS,
      issuers: options.issuers ?? kind.issuers,
    }
  })
}

const deliveries = (goods: Goods, to: ObjectiveTarget): ObjectiveRow[] =>
  goods.map(([item, quantity]) => ({ type: 'deliver_item', item, quantity, to }))

/** Payment for goods for the base that offers the mission. Source: missions.md section 1, guide. */
const SUPPLY_PAY: GoodsPay = { min: 1_500, max: 4_000 }

/** Returns missions to bring goods to the base that offers them. */
export const supplies = (lines: readonly Line<Goods>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'supply',
      skills: ['trading'],
      hours: 6,
      issuers: LAWFUL,
      objectives: (goods) => deliveries(goods, 'here'),
      credits: (goods) => goodsCredits(goodsValue(goods)),
      goodsPay: () => SUPPLY_PAY,
    },
    lines,
  )

/** A line of a seasonal mission: that of a supply, with the season it belongs to. */
export type SeasonLine = readonly [
  id: string,
  title: string,
  giver: Giver,
  difficulty: number,
  goods: Goods,
  talk: Talk,
  season: string,
]

/** Returns missions for goods that a season makes scarce: paid like supplies, while it lasts. */
export const seasonal = (lines: readonly SeasonLine[]): MissionRow[] =>
  lines.flatMap(([id, title, from, difficulty, goods, talk, season]) =>
    supplies([[id, title, from, difficulty, goods, talk]]).map((row) => ({ ...row, season })),
  )

type Collection = readonly [item: string, quantity: number]

/** Returns missions for goods that everybody may give towards, paid by what each has given. */
export const collections = (lines: readonly Line<Collection>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'community',
      skills: ['trading'],
      hours: 72,
      issuers: LAWFUL,
      objectives: ([item, quantity]) => [{ type: 'contribute', item, quantity, to: 'here' }],
      credits: (goods) => Math.trunc((goodsValue([goods]) * GOODS_PCT) / 100),
      // Boards show them besides the repeatable ones while the collection is open.
      repeatable: false,
      community: true,
    },
    lines,
  )

const HAUL_JUMP_CREDITS = 350

type Haul = readonly [goods: Goods, to: ObjectiveTarget]

/** Returns missions to buy goods and bring them to somebody far away. */
export const hauls = (lines: readonly Line<Haul>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'delivery',
      skills: ['trading', 'navigation'],
      hours: 12,
      issuers: ANYWHERE,
      objectives: ([goods, to]) => deliveries(goods, to),
      credits: ([goods]) => goodsCredits(goodsValue(goods)),
      creditsPerJump: () => HAUL_JUMP_CREDITS,
      goodsPay: () => ANY_PAY,
    },
    lines,
  )

const errandCredits = (credits: number, units: number): number =>
  Math.trunc((credits * (ERRAND_SIZES[sizeOf(units)]?.pct ?? -100)) / 100)

type Errand = readonly [item: string, quantity: number, to: ObjectiveTarget]

/** Returns missions to bring bound goods to somebody. */
export const couriers = (lines: readonly Line<Errand>[]): MissionRow[] =>
  missionsOf(
    {
      type: 'courier',
      skills: ['navigation', 'piloting'],
      // Two thirds and one third, so that delivering letters is not enough to become a pilot.
      xp: (difficulty) => ({ navigation: 40 * difficulty, piloting: 20 * difficulty }),
      hours: 8,
      issuers: ANYWHERE,
      objectives: ([item, quantity, to]) => deliveries([[item, quantity]], to),
      credits: ([, quantity]) => errandCredits(ERRAND_CREDITS, quantity),
      creditsPerJump: ([, quantity]) => errandCredits(ERRAND_JUMP_CREDITS, quantity),
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

/** Returns missions to destroy pirates: 2,000 credits for the weakest. */
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

/** Returns the goods that written-out objectives require, if they require nothing else. */
function goodsRequired(rows: readonly ObjectiveRow[]): Goods | undefined {
  if (rows.some(({ type }) => type !== 'deliver_item')) return undefined
  return rows.map(({ item = '', quantity }) => [item, quantity] as const)
}

/** Returns missions with written-out objectives, paid by difficulty. */
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
      credits(rows, difficulty) {
        const goods = goodsRequired(rows)
        const max = kind.perDifficulty * difficulty
        return goods === undefined ? max : Math.min(max, goodsCredits(goodsValue(goods)))
      },
      goodsPay: (rows, difficulty) =>
        goodsRequired(rows) && { min: 0, max: kind.perDifficulty * difficulty },
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
export const visit = (to: ObjectiveTarget): ObjectiveRow => ({
  type: 'visit_system',
  quantity: 1,
  to,
})
export const dock = (to: ObjectiveTarget): ObjectiveRow => ({ type: 'dock_base', quantity: 1, to })
export const deliver = (item: string, quantity: number, to: ObjectiveTarget): ObjectiveRow => ({
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
  type:
    | 'salvage_wreck'
    | 'scan_target'
    | 'survey_system'
    | 'hunt_creature'
    | 'place_order'
    | 'arena_bout',
  quantity: number,
): ObjectiveRow => ({ type, quantity })
