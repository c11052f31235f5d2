/**
 * The end of a faction: with its last member. Domains in which factions own something add a hook
 * each, in their `rebuild`. Source: factions.md section 3.
 */
import { assert } from '../../core/assert.ts'
import type { Failure } from '../../core/errors.ts'
import { fail } from '../../core/errors.ts'
import { Account, balanceOf, canReceive } from '../../core/ledger.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { walletOf } from '../account/rules.ts'
import { creditMove } from '../log/rules.ts'
import { Faction, ROLES } from './columns.ts'
import { dropInvite, invitesBy } from './invites.ts'
import { dismiss, keepNames } from './membership.ts'
import { directoryOf, factionName, factionNameKey, factionTag, treasuryOf } from './rules.ts'

/** What a domain does with what a faction owned in it. */
export interface DisbandHook {
  /** Why the faction may not end yet: what is in the way of `run`. */
  refuses?(view: WorldView, faction: Row, heir: Eid): Failure | undefined
  /**
   * Gives up everything of the faction, credits into its treasury, goods into its stores. Hooks run
   * in the order in which they were added; then stores and treasury go to the heir.
   */
  run(world: World, faction: Row, heir: Eid): void
}

const HOOKS = defineIndex<DisbandHook[]>('faction.disband', () => [])

export function onDisband(world: World, hook: DisbandHook): void {
  world.index(HOOKS).push(hook)
}

/** Why a faction may not end with this member; undefined where it may. */
export function refusesDisbanding(view: WorldView, faction: Row, heir: Eid): Failure | undefined {
  for (const hook of view.index(HOOKS)) {
    const refused = hook.refuses?.(view, faction, heir)
    if (refused) return refused
  }
  const fits = canReceive(view, walletOf(view, heir), balanceOf(view, treasuryOf(view, faction)))
  return fits ? undefined : fail('amount_too_large')
}

/** Ends a faction whose only member is the heir. */
export function disband(world: World, faction: Row, heir: Eid): void {
  assert(world.read(Faction).members[faction] === 1, 'a faction ends with its last member')
  for (const hook of world.index(HOOKS)) hook.run(world, faction, heir)
  const treasury = treasuryOf(world, faction)
  const credits = balanceOf(world, treasury)
  const name = factionName(world, faction)
  const said = `Got the treasury of ${name}, which is no more: ${credits} credits.`
  creditMove(world, heir, treasury, walletOf(world, heir), credits, 'faction', 'disbanded', said)
  for (const open of invitesBy(world, faction)) dropInvite(world, open)
  keepNames(world, faction)
  dismiss(world, heir)
  const { names, tags, members } = directoryOf(world)
  names.delete(factionNameKey(name))
  tags.delete(factionTag(world, faction))
  members.delete(faction)
  world.records(ROLES).delete(String(world.read(Faction).seq[faction]))
  world.release(Account, treasury)
  world.release(Faction, faction)
}
