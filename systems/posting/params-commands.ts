/**
 * What a faction asks for, read from a command: words, objectives, reward. Nothing is written;
 * what does not hold is refused with the field. Source: factions.md section 7.
 */
import { GOODS, type PirateTier } from '../../core/catalog/index.ts'
import { badFields, type Failure, type Outcome, ok } from '../../core/errors.ts'
import { PRICE_CREDITS_MAX, QUANTITY_MAX } from '../../core/limits.ts'
import {
  choice,
  int,
  itemId,
  obj,
  opt,
  optional,
  quantity,
  ref,
  type Static,
  str,
  Type,
  words,
} from '../../core/params.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { playerById, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { findGood, givingRefusal } from '../cargo/model.ts'
import { factionName } from '../faction/model.ts'
import { systemById } from '../travel/model.ts'
import { StarSystem } from '../travel/state.ts'
import {
  POSTING_HOURS_DEFAULT,
  POSTING_HOURS_MAX,
  POSTING_KILLS_MAX,
  POSTING_NAME_CHARACTERS_MAX,
  POSTING_REWARD_KINDS_MAX,
  POSTING_TEXT_CHARACTERS_MAX,
  POSTING_TITLE_CHARACTERS_MAX,
  POSTING_TRIGGERS_MAX,
  type PostedObjective,
  type PostingText,
} from './state.ts'

export const OPEN_TO_ALL = 'open_to_all'
const OBJECTIVES_MAX = 10
const TIERS = ['T1', 'T2', 'T3', 'boss'] as const satisfies readonly PirateTier[]

const textParam = (what: string, max: number, example: string) =>
  str(what, { max: 4 * max, example })
const line = (what: string) => optional(textParam(what, POSTING_TEXT_CHARACTERS_MAX, 'Well met.'))

const objectiveParam = obj({
  type: choice('What is to be done.', words('deliver_item visit_system kill_pirate kill_player')),
  ...opt({
    description: textParam('In your words.', POSTING_TEXT_CHARACTERS_MAX, 'Bring bread.'),
    item_id: itemId('What is to be delivered.'),
    quantity: quantity('Units to deliver, or ships to destroy; 1 unless given.'),
    target_id: ref(
      ['base', 'system'],
      str('Base that takes the delivery, here unless given; the system; the player hunted.', {
        min: 1,
      }),
      { isOpen: true },
    ),
    target_base_id: ref('base', str('The same, of a base.', { min: 1 })),
    system_id: ref('system', str('System to visit.', { min: 1 })),
    pirate_tier: choice('Pirates that count; all unless given.', TIERS),
  }),
})

export const postParams = obj({
  title: textParam('What it is called.', POSTING_TITLE_CHARACTERS_MAX, 'Bread for the yard'),
  type: textParam('Its kind, in a word.', POSTING_NAME_CHARACTERS_MAX, 'delivery'),
  description: textParam('What it is about.', POSTING_TEXT_CHARACTERS_MAX, 'The canteen is empty.'),
  objectives: Type.Array(objectiveParam, {
    description: 'One to ten things to do.',
    minItems: 1,
    maxItems: OBJECTIVES_MAX,
    examples: [[{ type: 'deliver_item', item_id: 'bread', quantity: 10 }]],
  }),
  rewards: Type.Object(
    opt({
      credits: int('Out of the treasury.', { min: 0, max: PRICE_CREDITS_MAX, example: 2_000 }),
      items: Type.Record(Type.String(), quantity(), {
        description: 'Units by item id, out of the store of the faction here.',
        examples: [{ steel_plate: 5 }],
      }),
    }),
    { description: 'What it pays; set aside at once.', examples: [{ credits: 2_000 }] },
  ),
  ...opt({
    dialog: Type.Object(
      {
        offer: line('Said with the offer.'),
        accept: line('Said when somebody takes it.'),
        decline: line('Said when somebody does not.'),
        complete: line('Said when it is done.'),
      },
      { description: 'What the giver says.', examples: [{ offer: 'We are hungry.' }] },
    ),
    expiration_hours: int(`Hours it hangs; ${POSTING_HOURS_DEFAULT} unless given.`, {
      min: 1,
      max: POSTING_HOURS_MAX,
      example: 72,
    }),
    giver_name: textParam('Who asks.', POSTING_NAME_CHARACTERS_MAX, 'Odo Pell'),
    giver_title: textParam('What they are.', POSTING_NAME_CHARACTERS_MAX, 'Quartermaster'),
    triggers: Type.Array(str('A word.', { max: 64, example: OPEN_TO_ALL }), {
      description: `${OPEN_TO_ALL}: anybody may take it; else members alone.`,
      maxItems: POSTING_TRIGGERS_MAX,
      examples: [[OPEN_TO_ALL]],
    }),
  }),
})
export type PostParams = Static<typeof postParams>
type ObjectiveParam = PostParams['objectives'][number]

const malformed = (field: string, expected: string): Failure<'invalid_payload'> =>
  badFields({ field, expected })

/* Words */

type Words = Pick<PostingText, 'title' | 'type' | 'description' | 'giver' | 'dialog'>

/** The words of a posting as they are kept. Refusals: invalid_payload, too_long. */
export function readWords(
  view: WorldView,
  faction: Eid,
  params: PostParams,
): Outcome<Words, 'invalid_payload' | 'too_long'> {
  const kept: Record<string, string> = {}
  const { dialog = {}, description } = params
  const asked: readonly (readonly [field: string, text: string, max: number])[] = [
    ['title', params.title, POSTING_TITLE_CHARACTERS_MAX],
    ['type', params.type, POSTING_NAME_CHARACTERS_MAX],
    ['description', description, POSTING_TEXT_CHARACTERS_MAX],
    ['giver_name', params.giver_name ?? factionName(view, faction), POSTING_NAME_CHARACTERS_MAX],
    ['giver_title', params.giver_title ?? 'Faction', POSTING_NAME_CHARACTERS_MAX],
    ['offer', dialog.offer ?? description, POSTING_TEXT_CHARACTERS_MAX],
    ['accept', dialog.accept ?? 'The reward is set aside for you.', POSTING_TEXT_CHARACTERS_MAX],
    ['decline', dialog.decline ?? 'It stays on the board.', POSTING_TEXT_CHARACTERS_MAX],
    ['complete', dialog.complete ?? 'Done, and paid for.', POSTING_TEXT_CHARACTERS_MAX],
  ]
  for (const [field, text, max] of asked) {
    const clean = cleanText(text, { max, unit: 'codepoints', field })
    if (!clean.ok) return clean
    kept[field] = clean.result
  }
  const { title, type, giver_name, giver_title, offer, accept, decline, complete } = kept
  return ok({
    title,
    type,
    description: kept.description,
    giver: { name: giver_name, title: giver_title },
    dialog: { offer, accept, decline, complete },
  })
}

/* Objectives */

function readDelivery(view: WorldView, at: string, row: ObjectiveParam, here: Eid) {
  if (row.item_id === undefined) return malformed(`${at}.item_id`, 'the item to deliver')
  const found = findGood(row.item_id)
  if (!found.ok) return found
  const refused = givingRefusal(found.result)
  if (refused) return refused
  const named = row.target_base_id ?? row.target_id
  const base = named === undefined ? here : baseById(view, named)
  if (base === 0) return malformed(`${at}.target_id`, 'a base by its id')
  const { seq } = view.read(Base)
  return ok({ item: GOODS[found.result].id, base: seq[base], quantity: row.quantity ?? 1 })
}

function readVisit(view: WorldView, at: string, row: ObjectiveParam) {
  const named = row.system_id ?? row.target_id
  const system = named === undefined ? 0 : systemById(view, named)
  if (system === 0) return malformed(`${at}.system_id`, 'a system by its id')
  return ok({ system: view.read(StarSystem).seq[system], quantity: 1 })
}

function readHunt(at: string, { quantity: units = 1, pirate_tier: tier }: ObjectiveParam) {
  if (units > POSTING_KILLS_MAX) return malformed(`${at}.quantity`, `1 to ${POSTING_KILLS_MAX}`)
  return ok({ quantity: units, ...(tier === undefined ? {} : { tier }) })
}

/** A bounty on a player; the words name the prey, whatever else is said. newer.md section 6. */
function readBounty(view: WorldView, at: string, row: ObjectiveParam) {
  const units = row.quantity ?? 1
  if (units > POSTING_KILLS_MAX) return malformed(`${at}.quantity`, `1 to ${POSTING_KILLS_MAX}`)
  const prey = row.target_id === undefined ? 0 : playerById(view, row.target_id)
  if (prey === 0) return malformed(`${at}.target_id`, 'a player by id or name')
  const text = `Destroy the ship of ${usernameOf(view, prey)}.`
  return ok({ quantity: units, player: view.read(Player).seq[prey], text })
}

function readObjective(view: WorldView, at: string, row: ObjectiveParam, here: Eid) {
  switch (row.type) {
    case 'deliver_item':
      return readDelivery(view, at, row, here)
    case 'visit_system':
      return readVisit(view, at, row)
    case 'kill_pirate':
      return readHunt(at, row)
    case 'kill_player':
      return readBounty(view, at, row)
    default:
      return malformed(`${at}.type`, 'deliver_item, visit_system, kill_pirate or kill_player')
  }
}

/** ours: one call of complete_mission takes all deliveries, so they go to one place, each once. */
function deliveriesRefusal(
  rows: readonly PostedObjective[],
): Failure<'invalid_payload'> | undefined {
  const deliveries = rows.filter(({ type }) => type === 'deliver_item')
  const field = 'objectives'
  if (new Set(deliveries.map(({ base }) => base)).size > 1) {
    return malformed(field, 'all deliveries to one base')
  }
  if (new Set(deliveries.map(({ item }) => item)).size < deliveries.length) {
    return malformed(field, 'each item once')
  }
  const units = deliveries.reduce((most, { quantity: n }) => Math.max(most, n), 0)
  return units > QUANTITY_MAX ? malformed(field, `at most ${QUANTITY_MAX} units`) : undefined
}

/**
 * The objectives of a posting. Refusals: invalid_payload, unknown_item, quest_item, not_tradeable,
 * too_long.
 */
export function readObjectives(view: WorldView, { objectives }: PostParams, here: Eid) {
  if (objectives.length < 1 || objectives.length > OBJECTIVES_MAX) {
    return malformed('objectives', `1 to ${OBJECTIVES_MAX}`)
  }
  const rows: PostedObjective[] = []
  for (const [index, row] of objectives.entries()) {
    const at = `objectives[${index}]`
    const rule = { max: POSTING_TEXT_CHARACTERS_MAX, unit: 'codepoints', field: at } as const
    const text = cleanText(row.description ?? '', { ...rule, mayBeEmpty: true })
    if (!text.ok) return text
    const read = readObjective(view, at, row, here)
    if (!read.ok) return read
    const { text: own = '', ...asked }: Omit<PostedObjective, 'type'> = read.result
    const said = [own, text.result].filter((part) => part !== '').join(' ')
    rows.push({ type: row.type, ...asked, ...(said === '' ? {} : { text: said }) })
  }
  return deliveriesRefusal(rows) ?? ok(rows)
}

const STEPS: Readonly<Record<PirateTier, number>> = { T1: 1, T2: 3, T3: 5, boss: 7 }

/** Players are the hardest to hunt down. */
const BOUNTY_STEPS = 9

/** 1-10. ours: more to do, and stronger pirates, are harder. */
export function difficultyOf(rows: readonly PostedObjective[]): number {
  const steps = rows.map(({ type, tier = 'T1' }) => {
    if (type === 'kill_player') return BOUNTY_STEPS
    return type === 'kill_pirate' ? STEPS[tier] : 0
  })
  const hardest = Math.max(0, ...steps)
  return Math.min(10, rows.length + hardest)
}

/* Reward */

export interface Reward {
  readonly credits: number
  /** Units by index of the item. */
  readonly goods: readonly { readonly item: number; readonly units: number }[]
}

/**
 * What a posting pays. Refusals: invalid_payload for anything but credits and goods, unknown_item,
 * quest_item, not_tradeable.
 */
export function readReward({ rewards }: PostParams) {
  const others = Object.keys(rewards).filter((key) => key !== 'credits' && key !== 'items')
  if (others.length > 0) return malformed(`rewards.${others[0]}`, 'credits and items alone')
  const asked = Object.entries(rewards.items ?? {}) as [string, number][]
  if (asked.length > POSTING_REWARD_KINDS_MAX) {
    return malformed('rewards.items', `at most ${POSTING_REWARD_KINDS_MAX} kinds`)
  }
  const goods = new Map<number, number>()
  for (const [id, units] of asked) {
    const found = findGood(id)
    if (!found.ok) return found
    const refused = givingRefusal(found.result)
    if (refused) return refused
    if (!Number.isSafeInteger(units) || units < 1 || units > QUANTITY_MAX) {
      return malformed(`rewards.items.${id}`, `1 to ${QUANTITY_MAX} units`)
    }
    if (goods.has(found.result)) return malformed('rewards.items', 'each item once')
    goods.set(found.result, units)
  }
  const sorted = [...goods].sort(([a], [b]) => a - b)
  return ok({
    credits: rewards.credits ?? 0,
    goods: sorted.map(([item, units]) => ({ item, units })),
  })
}
