/**
 * Reads and checks the parameters of a posting: texts, objectives, reward. Writes nothing; a
 * refusal names the field at fault. Source: factions.md section 7.
 */
import { GOODS, type PirateTier } from '../../core/catalog/index.ts'
import { type Failure, invalidFields, type Outcome, ok } from '../../core/errors.ts'
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
import { isHost, isOutpost } from '../station/model.ts'
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

/** The trigger that opens a posting to all players. */
export const OPEN_TO_ALL = 'open_to_all'
const OBJECTIVES_MAX = 10
const TIERS = ['T1', 'T2', 'T3', 'boss'] as const satisfies readonly PirateTier[]

const textParam = (description: string, max: number, example: string) =>
  str(description, { max: 4 * max, example })
const dialogParam = (description: string) =>
  optional(textParam(description, POSTING_TEXT_CHARACTERS_MAX, 'Well met.'))

const objectiveParam = obj({
  type: choice('The task.', words('deliver_item visit_system kill_pirate kill_player')),
  ...opt({
    description: textParam('Your own description.', POSTING_TEXT_CHARACTERS_MAX, 'Bring bread.'),
    item_id: itemId('The item to deliver.'),
    quantity: quantity('Units to deliver, or ships to destroy; by default 1.'),
    target_id: ref(
      ['base', 'system'],
      str('Base to deliver to, by default this one; system to visit; player to destroy.', {
        min: 1,
      }),
      { isOpen: true },
    ),
    target_base_id: ref('base', str('Base to deliver to, instead of target_id.', { min: 1 })),
    system_id: ref('system', str('System to visit.', { min: 1 })),
    pirate_tier: choice('Tier of pirates that count; by default all.', TIERS),
  }),
})

export const postParams = obj({
  title: textParam('Title of the mission.', POSTING_TITLE_CHARACTERS_MAX, 'Bread for the yard'),
  type: textParam('Kind of mission, in one word.', POSTING_NAME_CHARACTERS_MAX, 'delivery'),
  description: textParam('Full description.', POSTING_TEXT_CHARACTERS_MAX, 'The canteen is empty.'),
  objectives: Type.Array(objectiveParam, {
    description: 'One to ten objectives.',
    minItems: 1,
    maxItems: OBJECTIVES_MAX,
    examples: [[{ type: 'deliver_item', item_id: 'bread', quantity: 10 }]],
  }),
  rewards: Type.Object(
    opt({
      credits: int('From the treasury.', { min: 0, max: PRICE_CREDITS_MAX, example: 2_000 }),
      items: Type.Record(Type.String(), quantity(), {
        description: 'Units by item id, from the store of the faction here.',
        examples: [{ steel_plate: 5 }],
      }),
    }),
    { description: 'Reward; it is set aside at once.', examples: [{ credits: 2_000 }] },
  ),
  ...opt({
    dialog: Type.Object(
      {
        offer: dialogParam('Shown with the offer.'),
        accept: dialogParam('Shown to a player who accepts.'),
        decline: dialogParam('Shown to a player who declines.'),
        complete: dialogParam('Shown on completion.'),
      },
      { description: 'What the giver says.', examples: [{ offer: 'We are hungry.' }] },
    ),
    expiration_hours: int(`Hours on the board; by default ${POSTING_HOURS_DEFAULT}.`, {
      min: 1,
      max: POSTING_HOURS_MAX,
      example: 72,
    }),
    giver_name: textParam('Name of the giver.', POSTING_NAME_CHARACTERS_MAX, 'Odo Pell'),
    giver_title: textParam('Title of the giver.', POSTING_NAME_CHARACTERS_MAX, 'Quartermaster'),
    triggers: Type.Array(str('A keyword.', { max: 64, example: OPEN_TO_ALL }), {
      description: `${OPEN_TO_ALL}: anybody may accept it; without it, only members may.`,
      maxItems: POSTING_TRIGGERS_MAX,
      examples: [[OPEN_TO_ALL]],
    }),
  }),
})
export type PostParams = Static<typeof postParams>
type ObjectiveParam = PostParams['objectives'][number]

const badField = (field: string, expected: string): Failure<'invalid_payload'> =>
  invalidFields({ field, expected })

/* Texts */

type Texts = Pick<PostingText, 'title' | 'type' | 'description' | 'giver' | 'dialog'>

/** Reads and cleans the texts of a posting. */
export function readTexts(
  view: WorldView,
  faction: Eid,
  params: PostParams,
): Outcome<Texts, 'invalid_payload' | 'too_long'> {
  const cleaned: Record<string, string> = {}
  const { dialog = {}, description } = params
  const texts: readonly (readonly [field: string, text: string, max: number])[] = [
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
  for (const [field, text, max] of texts) {
    const rule = { max, unit: 'codepoints', field } as const
    const isName = max !== POSTING_TEXT_CHARACTERS_MAX
    const clean = cleanText(text, isName ? { ...rule, oneLine: true } : rule)
    if (!clean.ok) return clean
    cleaned[field] = clean.result
  }
  const { title, type, giver_name, giver_title, offer, accept, decline, complete } = cleaned
  return ok({
    title,
    type,
    description: cleaned.description,
    giver: { name: giver_name, title: giver_title },
    dialog: { offer, accept, decline, complete },
  })
}

/* Objectives */

/** Who posts a mission, and the base on whose board it appears. */
interface Poster {
  readonly player: Eid
  readonly base: Eid
}

function readDelivery(view: WorldView, field: string, row: ObjectiveParam, poster: Poster) {
  if (row.item_id === undefined) return badField(`${field}.item_id`, 'the id of an item')
  const good = findGood(row.item_id)
  if (!good.ok) return good
  const refused = givingRefusal(good.result)
  if (refused) return refused
  const id = row.target_base_id ?? row.target_id
  const base = id === undefined ? poster.base : baseById(view, id)
  const isForeign = isOutpost(view, base) && !isHost(view, poster.player, base)
  if (base === 0 || isForeign) {
    const name = row.target_base_id === undefined ? 'target_id' : 'target_base_id'
    return badField(`${field}.${name}`, 'a base by its id; no outpost of another faction')
  }
  const { seq } = view.read(Base)
  return ok({ item: GOODS[good.result].id, base: seq[base], quantity: row.quantity ?? 1 })
}

function readVisit(view: WorldView, field: string, row: ObjectiveParam) {
  const id = row.system_id ?? row.target_id
  const system = id === undefined ? 0 : systemById(view, id)
  if (system === 0) {
    const isTarget = row.system_id === undefined && row.target_id !== undefined
    const name = isTarget ? 'target_id' : 'system_id'
    return badField(`${field}.${name}`, 'a system by its id')
  }
  return ok({ system: view.read(StarSystem).seq[system], quantity: 1 })
}

function readHunt(field: string, { quantity: units = 1, pirate_tier: tier }: ObjectiveParam) {
  if (units > POSTING_KILLS_MAX) return badField(`${field}.quantity`, `1 to ${POSTING_KILLS_MAX}`)
  return ok({ quantity: units, ...(tier === undefined ? {} : { tier }) })
}

/** Reads a bounty on a player; its text always names the player. Source: newer.md section 6. */
function readBounty(view: WorldView, field: string, row: ObjectiveParam) {
  const units = row.quantity ?? 1
  if (units > POSTING_KILLS_MAX) return badField(`${field}.quantity`, `1 to ${POSTING_KILLS_MAX}`)
  const target = row.target_id === undefined ? 0 : playerById(view, row.target_id)
  if (target === 0) return badField(`${field}.target_id`, 'a player by id or name')
  const text = `Destroy the ship of ${usernameOf(view, target)}.`
  return ok({ quantity: units, player: view.read(Player).seq[target], text })
}

function readObjective(view: WorldView, field: string, row: ObjectiveParam, poster: Poster) {
  switch (row.type) {
    case 'deliver_item':
      return readDelivery(view, field, row, poster)
    case 'visit_system':
      return readVisit(view, field, row)
    case 'kill_pirate':
      return readHunt(field, row)
    case 'kill_player':
      return readBounty(view, field, row)
    default:
      return badField(`${field}.type`, 'deliver_item, visit_system, kill_pirate or kill_player')
  }
}

/**
 * Refuses deliveries to several bases and items that are listed twice. ours: complete_mission takes
 * all deliveries at once.
 */
function deliveriesRefusal(
  rows: readonly PostedObjective[],
): Failure<'invalid_payload'> | undefined {
  const deliveries = rows.filter(({ type }) => type === 'deliver_item')
  const field = 'objectives'
  if (new Set(deliveries.map(({ base }) => base)).size > 1) {
    return badField(field, 'a list whose deliveries all go to one base')
  }
  if (new Set(deliveries.map(({ item }) => item)).size < deliveries.length) {
    return badField(field, 'a list that names each item only once')
  }
  const isTooMuch = deliveries.some(({ quantity: units }) => units > QUANTITY_MAX)
  return isTooMuch
    ? badField(field, `a list with at most ${QUANTITY_MAX} units a delivery`)
    : undefined
}

/** Reads the objectives of a posting. */
export function readObjectives(view: WorldView, { objectives }: PostParams, poster: Poster) {
  if (objectives.length < 1 || objectives.length > OBJECTIVES_MAX) {
    return badField('objectives', `1 to ${OBJECTIVES_MAX}`)
  }
  const rows: PostedObjective[] = []
  for (const [index, row] of objectives.entries()) {
    const field = `objectives[${index}]`
    const text = cleanText(row.description ?? '', {
      max: POSTING_TEXT_CHARACTERS_MAX,
      unit: 'codepoints',
      field,
      mayBeEmpty: true,
    })
    if (!text.ok) return text
    const read = readObjective(view, field, row, poster)
    if (!read.ok) return read
    const { text: heading = '', ...goal }: Omit<PostedObjective, 'type'> = read.result
    const description = [heading, text.result].filter((part) => part !== '').join(' ')
    rows.push({ type: row.type, ...goal, ...(description !== '' && { text: description }) })
  }
  return deliveriesRefusal(rows) ?? ok(rows)
}

/** Difficulty of pirates by tier. */
const STEPS: Readonly<Record<PirateTier, number>> = { T1: 1, T2: 3, T3: 5, boss: 7 }

/** Difficulty of a bounty on a player: players are the hardest to destroy. */
const BOUNTY_STEPS = 9

/** Returns the difficulty, 1 to 10. ours: it rises with more objectives and stronger targets. */
export function difficultyOf(rows: readonly PostedObjective[]): number {
  const steps = rows.map(({ type, tier = 'T1' }) => {
    if (type === 'kill_player') return BOUNTY_STEPS
    return type === 'kill_pirate' ? STEPS[tier] : 0
  })
  return Math.min(10, rows.length + Math.max(0, ...steps))
}

/* Reward */

/** The reward of a posting. */
export interface Reward {
  readonly credits: number
  /** Units by index of the item. */
  readonly goods: readonly { readonly item: number; readonly units: number }[]
}

/** Reads the reward of a posting: only credits and goods are accepted. */
export function readReward({ rewards }: PostParams) {
  const other = Object.keys(rewards).find((key) => key !== 'credits' && key !== 'items')
  if (other !== undefined) return badField(`rewards.${other}`, 'absent: pay credits or items')
  const items = Object.entries(rewards.items ?? {}) as [string, number][]
  if (items.length > POSTING_REWARD_KINDS_MAX) {
    return badField('rewards.items', `a list of at most ${POSTING_REWARD_KINDS_MAX} items`)
  }
  const goods = new Map<number, number>()
  for (const [id, units] of items) {
    const good = findGood(id)
    if (!good.ok) return good
    const refused = givingRefusal(good.result)
    if (refused) return refused
    if (!Number.isSafeInteger(units) || units < 1 || units > QUANTITY_MAX) {
      return badField(`rewards.items.${id}`, `1 to ${QUANTITY_MAX} units`)
    }
    if (goods.has(good.result)) return badField('rewards.items', 'a list naming each item once')
    goods.set(good.result, units)
  }
  const sorted = [...goods].sort(([a], [b]) => a - b)
  return ok({
    credits: rewards.credits ?? 0,
    goods: sorted.map(([item, units]) => ({ item, units })),
  })
}
