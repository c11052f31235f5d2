/** The eight commands of war, peace, alliance and enmity. Source: factions.md section 5. */
import { type MutationDef, mutation } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import { obj, optional, ref, str, strings, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { mayPush } from '../chat/model.ts'
import {
  factionByText,
  factionIdOf,
  factionName,
  factionOf,
  factionTag,
  membersOf,
  membersWith,
  needPermission,
} from '../faction/model.ts'
import { type FactionNotice, notifyFaction } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import {
  alliesRefusal,
  ENEMY_BOOK,
  pactBetween,
  proposalOf,
  proposalRefusal,
  reversed,
  type Sides,
  seqOf,
  towards,
  warRefusal,
} from './model.ts'
import {
  addProposal,
  clearEnemy,
  declareWar,
  endAlliance,
  makeAlliance,
  makePeace,
  markEnemy,
} from './rules.ts'
import { removalSchema, resultSchema } from './schemas.ts'
import { DIPLOMACY_TEXT_CHARACTERS_MAX, FACTION_ENEMIES_MAX, WAR_NOTICE_TICKS } from './state.ts'

/* Shared by all eight */

const target = {
  target_faction_id: ref(
    'faction',
    str('Id of the other faction, or its tag in any case.', {
      min: 1,
      example: 'FREE',
    }),
  ),
}
const messageParam = (description: string) =>
  optional(
    str(`${description}, at most ${DIPLOMACY_TEXT_CHARACTERS_MAX} characters.`, {
      max: TEXT_CHARACTERS_MAX,
      example: description,
    }),
  )

const TARGET_ERRORS = ['faction_not_found', 'invalid_target'] as const

const shared = {
  category: 'faction',
  order: 'plain',
  needs: [needPermission('manage_diplomacy')],
  changes: ['player'],
} as const

/** Returns the v2 address of a command, where the other faction is `id`. */
const v2Address = (action: string, more: Readonly<Record<string, string>> = {}) => ({
  tool: 'game_faction' as const,
  action,
  rename: { target_faction_id: 'id', ...more },
})

/** Returns the faction of a player and the one that the text names. Refusals: TARGET_ERRORS. */
function sidesOf(
  view: WorldView,
  player: Eid,
  text: string,
): Outcome<Sides, 'faction_not_found' | 'invalid_target'> {
  const own = factionOf(view, player)
  const other = factionByText(view, text.trim())
  if (other === 0) return fail('faction_not_found', { target_faction_id: text })
  const message = say`That is your own faction; {faction_list} lists the others.`
  return other === own ? fail('invalid_target', {}, message) : ok({ own, other })
}

interface DiplomacyParams {
  readonly target_faction_id: string
  readonly reason?: string
  readonly terms?: string
}

/** Makes a `run` that finds the two factions before it acts. Refusals: TARGET_ERRORS. */
const between =
  <P extends { readonly target_faction_id: string }, O extends Outcome<unknown>>(
    act: (world: World, player: Eid, sides: Sides, params: P) => O,
  ) =>
  (world: World, player: Eid, params: P) => {
    const found = sidesOf(world, player, params.target_faction_id)
    return found.ok ? act(world, player, found.result, params) : found
  }

/** Cleans a reason or terms, which may be empty. Refusals: invalid_payload, too_long. */
const cleanStatement = (
  value: string | undefined,
  field: string,
): Outcome<string, 'invalid_payload' | 'too_long'> =>
  cleanText(value ?? '', {
    max: DIPLOMACY_TEXT_CHARACTERS_MAX,
    unit: 'codepoints',
    field,
    mayBeEmpty: true,
  })

/** Notifies both sides, logs the action for its actor, and returns the result. */
function report(world: World, sides: Sides, notice: SidesNotice) {
  notifySides(world, sides, notice)
  const data = { other_faction_id: factionIdOf(world, sides.other) }
  logAction(world, notice.actor, 'faction', notice.event, notice.message, data)
  return resultOf(world, sides, notice.message)
}

const resultOf = (view: WorldView, { other }: Sides, message: string) => ({
  message,
  target_faction_id: factionIdOf(view, other),
  target_name: factionName(view, other),
})

/** Returns the names of the actor, their faction, and the other one. */
function namesOf(view: WorldView, player: Eid, { own, other }: Sides) {
  return {
    who: usernameOf(view, player),
    us: factionName(view, own),
    them: factionName(view, other),
  }
}

const factionDeclareWar: MutationDef = mutation({
  ...shared,
  name: 'faction_declare_war',
  v2: v2Address('declare_war', { reason: 'text' }),
  summary: `Declare war; ${WAR_NOTICE_TICKS} ticks later attacks between the two are no crime.`,
  params: obj({ ...target, reason: messageParam('Why') }),
  result: obj({ ...resultSchema.properties, ...strings('reason') }),
  errors: [
    ...TARGET_ERRORS,
    ...words('already_at_war war_cooldown limit_reached too_long invalid_payload'),
  ],
  run: between((world, player, sides, params: DiplomacyParams) => {
    const reason = cleanStatement(params.reason, 'reason')
    if (!reason.ok) return reason
    const refused = warRefusal(world, sides)
    if (refused) return refused
    const war = declareWar(world, sides, reason.result)
    const { who, us, them } = namesOf(world, player, sides)
    const reasonText = reason.result === '' ? '' : ` “${reason.result}”`
    const message = `${who} declares war on ${them} in the name of ${us}.${reasonText}`
    const result = report(world, sides, {
      event: 'war_declared',
      actor: player,
      message,
      to: 'members',
      more: {
        law_from_tick: war.lawFromTick,
        ...(reason.result === '' ? {} : { reason: reason.result }),
      },
    })
    return ok({ ...result, reason: reason.result })
  }),
})

const factionProposePeace: MutationDef = mutation({
  ...shared,
  name: 'faction_propose_peace',
  v2: v2Address('propose_peace', { terms: 'text' }),
  summary: 'Offer peace to a faction you are at war with; the offer is open for seven days.',
  params: obj({ ...target, terms: messageParam('On which terms') }),
  result: obj({ ...resultSchema.properties, ...strings('terms') }),
  errors: [
    ...TARGET_ERRORS,
    ...words('not_at_war already_proposed limit_reached too_long invalid_payload'),
  ],
  run: between((world, player, sides, params: DiplomacyParams) => {
    const terms = cleanStatement(params.terms, 'terms')
    if (!terms.ok) return terms
    if (!pactBetween(world, sides)?.war) return fail('not_at_war')
    const refused = proposalRefusal(world, sides)
    if (refused) return refused
    addProposal(world, sides, { kind: 'peace', terms: terms.result })
    const { us, them } = namesOf(world, player, sides)
    const termsText = terms.result === '' ? '' : ` Its terms: “${terms.result}”`
    const result = report(world, sides, {
      event: 'peace_proposed',
      actor: player,
      message: `${us} offers peace to ${them}.${termsText}`,
      to: 'diplomats',
      more: terms.result === '' ? {} : { terms: terms.result },
    })
    return ok({ ...result, terms: terms.result })
  }),
})

const factionAcceptPeace: MutationDef = mutation({
  ...shared,
  name: 'faction_accept_peace',
  v2: v2Address('accept_peace'),
  summary: 'Accept an offer of peace; for a day neither can declare war on the other.',
  params: obj(target),
  result: resultSchema,
  errors: [...TARGET_ERRORS, 'no_proposal'],
  run: between((world, player, sides) => {
    if (proposalOf(world, reversed(sides))?.kind !== 'peace') return fail('no_proposal')
    makePeace(world, sides)
    const { us, them } = namesOf(world, player, sides)
    const message = `${us} and ${them} are at peace.`
    const notice = { event: 'peace_made', actor: player, message, to: 'members' } as const
    return ok(report(world, sides, notice))
  }),
})

/* Alliances */

/** Makes the two factions allies. Refusal: limit_reached. */
function formAlliance(world: World, player: Eid, sides: Sides) {
  const refused = alliesRefusal(world, sides)
  if (refused) return refused
  makeAlliance(world, sides)
  const { us, them } = namesOf(world, player, sides)
  const message = `${us} and ${them} are allies.`
  const notice = { event: 'alliance_made', actor: player, message, to: 'members' } as const
  return ok(report(world, sides, notice))
}

const factionProposeAlly: MutationDef = mutation({
  ...shared,
  name: 'faction_propose_ally',
  v2: v2Address('propose_ally'),
  summary: 'Offer an alliance; if the other faction has already offered one, it is made.',
  params: obj(target),
  result: resultSchema,
  errors: [...TARGET_ERRORS, ...words('at_war already_allied already_proposed limit_reached')],
  run: between((world, player, sides) => {
    const pact = pactBetween(world, sides)
    if (pact) return fail(pact.war ? 'at_war' : 'already_allied')
    if (proposalOf(world, reversed(sides))) return formAlliance(world, player, sides)
    const refused = proposalRefusal(world, sides) ?? alliesRefusal(world, sides)
    if (refused) return refused
    addProposal(world, sides, { kind: 'ally', terms: '' })
    const { us, them } = namesOf(world, player, sides)
    const message = `${us} offers ${them} an alliance.`
    const notice = { event: 'alliance_proposed', actor: player, message, to: 'diplomats' } as const
    return ok(report(world, sides, notice))
  }),
})

const factionAcceptAlly: MutationDef = mutation({
  ...shared,
  name: 'faction_accept_ally',
  v2: v2Address('accept_ally'),
  summary: 'Accept the offer of an alliance.',
  params: obj(target),
  result: resultSchema,
  errors: [...TARGET_ERRORS, 'at_war', 'no_proposal', 'limit_reached'],
  run: between((world, player, sides) => {
    if (pactBetween(world, sides)?.war) return fail('at_war')
    if (!proposalOf(world, reversed(sides))) return fail('no_proposal')
    return formAlliance(world, player, sides)
  }),
})

const factionRemoveAlly: MutationDef = mutation({
  ...shared,
  name: 'faction_remove_ally',
  v2: v2Address('remove_ally'),
  summary: 'End an alliance, if there is one.',
  params: obj(target),
  result: removalSchema,
  errors: TARGET_ERRORS,
  run: between((world, player, sides) => {
    const { us, them } = namesOf(world, player, sides)
    if (!endAlliance(world, sides)) {
      return ok({ ...resultOf(world, sides, `${them} is not an ally of ${us}.`), removed: false })
    }
    const message = `${us} ends its alliance with ${them}.`
    const notice = { event: 'alliance_ended', actor: player, message, to: 'members' } as const
    return ok({ ...report(world, sides, notice), removed: true })
  }),
})

/* Enemies */

const factionSetEnemy: MutationDef = mutation({
  ...shared,
  name: 'faction_set_enemy',
  v2: v2Address('set_enemy'),
  summary: 'Mark a faction as an enemy, which ends an alliance with it but declares no war.',
  params: obj(target),
  result: resultSchema,
  errors: [...TARGET_ERRORS, 'already_enemy', 'limit_reached'],
  run: between((world, player, sides) => {
    if (ENEMY_BOOK.get(world, towards(world, sides))) return fail('already_enemy')
    const marked = ENEMY_BOOK.countOutgoing(world, seqOf(world, sides.own))
    if (marked >= FACTION_ENEMIES_MAX || ENEMY_BOOK.isFull(world)) {
      return fail('limit_reached', { max: FACTION_ENEMIES_MAX, of: 'enemies of a faction' })
    }
    const isEnded = markEnemy(world, sides)
    const { us, them } = namesOf(world, player, sides)
    const allianceText = isEnded ? ' Their alliance is over.' : ''
    const message = `${us} calls ${them} an enemy.${allianceText}`
    const notice = { event: 'enemy_marked', actor: player, message, to: 'members' } as const
    return ok(report(world, sides, notice))
  }),
})

const factionRemoveEnemy: MutationDef = mutation({
  ...shared,
  name: 'faction_remove_enemy',
  v2: v2Address('remove_enemy'),
  summary: 'Remove the enemy mark of a faction; a war goes on.',
  params: obj(target),
  result: removalSchema,
  errors: TARGET_ERRORS,
  run: between((world, player, sides) => {
    const { us, them } = namesOf(world, player, sides)
    if (!clearEnemy(world, sides)) {
      return ok({ ...resultOf(world, sides, `${us} calls ${them} no enemy.`), removed: false })
    }
    const message = `${us} calls ${them} an enemy no more.`
    const notice = { event: 'enemy_cleared', actor: player, message, to: 'members' } as const
    return ok({ ...report(world, sides, notice), removed: true })
  }),
})

export const diplomacyCommands: readonly MutationDef[] = [
  factionDeclareWar,
  factionProposePeace,
  factionAcceptPeace,
  factionProposeAlly,
  factionAcceptAlly,
  factionRemoveAlly,
  factionSetEnemy,
  factionRemoveEnemy,
]

/* Notices to both sides: events, and a line in either log. */

interface SidesNotice {
  readonly event: FactionNotice['event']
  readonly actor: Eid
  readonly message: string
  /** Proposals are for those who may answer them, changes for every member. */
  readonly to: 'diplomats' | 'members'
  readonly more?: FactionNotice['details']
}

/**
 * Notifies both factions. Members of the other one are sent no more than the limit on messages from
 * strangers allows, so that toggling a flag cannot flood them. Source: factions.md section 14;
 * social.md 6.
 */
function notifySides(world: World, { own, other }: Sides, notice: SidesNotice): void {
  const { event, actor, message, more = {} } = notice
  const common = { event, actor, message }
  const recipients = (faction: number): readonly Eid[] =>
    notice.to === 'members'
      ? membersOf(world, faction)
      : membersWith(world, faction, 'manage_diplomacy')
  const detailsOn = (faction: number) => ({
    ...more,
    other_faction_id: factionIdOf(world, faction),
    other_faction_name: factionName(world, faction),
    other_faction_tag: factionTag(world, faction),
  })
  notifyFaction(world, own, { ...common, to: recipients(own), details: detailsOn(other) })
  const to = recipients(other).filter((member) => mayPush(world, member, actor))
  notifyFaction(world, other, { ...common, to, details: detailsOn(own) })
}
