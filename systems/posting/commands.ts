/** Posting, cancelling and listing missions of a faction. Source: factions.md section 7. */
import { mutation, query } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { moveItems, openContainer, unitsIn } from '../../core/goods.ts'
import { Account, balanceOf, openAccount, post } from '../../core/ledger.ts'
import { NO_PARAMS, obj, str, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseName } from '../base/model.ts'
import { isNearlyFull, isStorageNearlyFull } from '../cargo/model.ts'
import { activeFacility, facilityTypeAt } from '../facility/model.ts'
import { factionOf, needPermission, recordFactionLog, treasuryOf } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { closeEmptyStore, storeContainer } from '../faction/store-model.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { canRefund, postingById, postingId, postingsOf, postingText } from './model.ts'
import {
  difficultyOf,
  OPEN_TO_ALL,
  type PostParams,
  postParams,
  type Reward,
  readObjectives,
  readReward,
  readTexts,
} from './params-commands.ts'
import { closePosting, enterPosting, refundPosting } from './rules.ts'
import { canceledSchema, listedSchema, postedSchema } from './schemas.ts'
import { POSTING_HOURS_DEFAULT, POSTING_TEXTS, Posting, type PostingText } from './state.ts'
import { renderEscrow, renderListed } from './views.ts'

const SERVICE = 'faction_missions'
const shared = { category: 'faction' } as const

/** Returns how many postings a faction may have at a base; 0 without a working mission service. */
function postingsMax(view: WorldView, faction: Row, base: Eid): number {
  const facility = activeFacility(view, faction, base, SERVICE)
  return facility === 0 ? 0 : (facilityTypeAt(view, facility).capacity ?? 0)
}

/* Posting */

function postingRefusal(
  view: WorldView,
  faction: Row,
  base: Eid,
): Failure<'limit_reached' | 'no_faction_missions'> | undefined {
  const max = postingsMax(view, faction, base)
  if (max === 0) return fail('no_faction_missions')
  const posted = postingsOf(view, faction, base).length
  if (posted >= max) return fail('limit_reached', { max, of: 'posted missions', posted })
  const isFull = isNearlyFull(view, Posting) || isNearlyFull(view, Account)
  return isFull || isStorageNearlyFull(view) ? fail('limit_reached') : undefined
}

function rewardRefusal(
  view: WorldView,
  faction: Row,
  base: Eid,
  { credits, goods }: Reward,
): Failure<'faction_no_credits' | 'insufficient_items'> | undefined {
  const have = balanceOf(view, treasuryOf(view, faction))
  if (have < credits) return fail('faction_no_credits', { need: credits, have })
  const store = storeContainer(view, { faction, base, bucket: 0 })
  for (const { item, units } of goods) {
    const held = store === 0 ? 0 : unitsIn(view, store, item)
    if (held >= units) continue
    const details = { ...renderEscrow([{ item, units }]), have: held }
    const text = say`Your faction’s store here has too few; check it with {view_faction_storage}.`
    return fail('insufficient_items', details, text)
  }
  return undefined
}

/** A posting to make, once its parameters have been checked. */
interface Plan {
  readonly faction: Row
  readonly base: Eid
  readonly player: Eid
  readonly hours: number
  readonly isOpen: boolean
  readonly reward: Reward
  readonly text: PostingText
}

/** Puts the reward in escrow: credits from the treasury, goods from the store here. */
function escrow(world: World, posting: Row, { faction, base, player, reward, text }: Plan): void {
  const columns = world.write(Posting)
  const summary = `Posted "${text.title}" at ${baseName(world, base)}.`
  const entry = { faction, player, action: 'post_mission', summary, base }
  columns.escrow[posting] = openAccount(world)
  post(world, treasuryOf(world, faction), columns.escrow[posting], reward.credits)
  if (reward.credits > 0) recordStoreMove(world, { ...entry, credits: reward.credits })
  else recordFactionLog(world, faction, player, { verb: entry.action, summary })
  if (reward.goods.length === 0) return
  columns.goods[posting] = openContainer(world)
  const place = { faction, base, bucket: 0 }
  for (const { item, units } of reward.goods) {
    moveItems(world, storeContainer(world, place), columns.goods[posting], item, units)
    recordStoreMove(world, { ...entry, item, quantity: units })
  }
  closeEmptyStore(world, place)
}

function makePosting(world: World, plan: Plan): Row {
  const posting = world.take(Posting)
  const columns = world.write(Posting)
  columns.faction[posting] = plan.faction
  columns.base[posting] = plan.base
  columns.poster[posting] = plan.player
  columns.isOpen[posting] = plan.isOpen ? 1 : 0
  columns.credits[posting] = plan.reward.credits
  columns.expireTick[posting] = world.tick + plan.hours * HOUR_TICKS
  world.records(POSTING_TEXTS).set(String(columns.seq[posting]), plan.text)
  escrow(world, posting, plan)
  enterPosting(world, posting)
  return posting
}

function runPost(world: World, player: Eid, params: PostParams) {
  const faction = factionOf(world, player)
  const base = dockedBase(world, player)
  const refused = postingRefusal(world, faction, base)
  if (refused) return refused
  const texts = readTexts(world, faction, params)
  if (!texts.ok) return texts
  const objectives = readObjectives(world, params, { player, base })
  if (!objectives.ok) return objectives
  const read = readReward(params)
  if (!read.ok) return read
  const reward = read.result
  const uncovered = rewardRefusal(world, faction, base, reward)
  if (uncovered) return uncovered
  const isOpen = (params.triggers ?? []).includes(OPEN_TO_ALL)
  const escrowed = renderEscrow(reward.goods)
  const posting = makePosting(world, {
    faction,
    base,
    player,
    isOpen,
    reward,
    hours: params.expiration_hours ?? POSTING_HOURS_DEFAULT,
    text: {
      ...texts.result,
      objectives: objectives.result,
      difficulty: difficultyOf(objectives.result),
      items: escrowed.items ?? {},
      spurned: [],
    },
  })
  const { title } = texts.result
  const audience = isOpen ? 'One player' : 'One member of your faction'
  return ok({
    status: 'posted',
    template_id: postingId(world, posting),
    title,
    escrowed: { credits: reward.credits, ...escrowed },
    message: `Posted "${title}" at ${baseName(world, base)}. ${audience} may accept it.`,
  })
}

export const factionPostMission = mutation({
  ...shared,
  order: 'plain',
  name: 'faction_post_mission',
  v2: { tool: 'game_faction_admin', action: 'post_mission' },
  summary: 'Post a mission for your faction here; its reward is set aside at once.',
  params: postParams,
  result: postedSchema,
  needs: [needPermission('manage_treasury'), DOCKED, AT_LIBERTY],
  changes: ['player'],
  errors: words(
    'no_faction_missions limit_reached invalid_payload too_long unknown_item quest_item',
    'not_tradeable faction_no_credits insufficient_items',
  ),
  run: runPost,
})

/* Cancelling */

export const factionCancelMission = mutation({
  ...shared,
  order: 'plain',
  name: 'faction_cancel_mission',
  v2: { tool: 'game_faction', action: 'cancel_mission', rename: { template_id: 'id' } },
  summary: 'Cancel a posted mission of your faction; its reward returns to the faction.',
  params: obj({ template_id: str('Id of the posting.', { min: 1, example: 'posting' }) }),
  result: canceledSchema,
  needs: [needPermission('manage_treasury')],
  changes: ['player'],
  errors: ['mission_not_found', 'mission_in_progress', 'amount_too_large', 'limit_reached'],
  run(world, player, { template_id }) {
    const posting = postingById(world, template_id)
    const { faction, goods, mission } = world.read(Posting)
    if (posting === 0 || faction[posting] !== factionOf(world, player)) {
      return fail('mission_not_found', { template_id })
    }
    if (mission[posting] !== 0) return fail('mission_in_progress')
    if (!canRefund(world, posting)) return fail('amount_too_large')
    if (goods[posting] !== 0 && isStorageNearlyFull(world)) return fail('limit_reached')
    const { title } = postingText(world, posting)
    refundPosting(world, posting, player, 'cancel_mission')
    closePosting(world, posting)
    const message = `Cancelled "${title}"; its reward was returned to the faction.`
    return ok({ status: 'cancelled', message })
  },
})

/* Listing */

export const factionListMissions = query({
  ...shared,
  name: 'faction_list_missions',
  v2: { tool: 'game_faction', action: 'list_missions' },
  summary: 'List the missions that your faction has posted at the base you are docked at.',
  params: NO_PARAMS,
  result: listedSchema,
  needs: [IN_FACTION, DOCKED],
  errors: ['no_faction_missions'],
  run(view, player) {
    const faction = factionOf(view, player)
    const base = dockedBase(view, player)
    const max = postingsMax(view, faction, base)
    const postings = postingsOf(view, faction, base)
    if (max === 0 && postings.length === 0) return fail('no_faction_missions')
    return ok({
      count: postings.length,
      max_posted: max,
      missions: postings.map((posting) => renderListed(view, posting)),
      message: `Posted at ${baseName(view, base)}: ${postings.length} of ${counted(max, 'mission')}.`,
    })
  },
})
