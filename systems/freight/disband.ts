/**
 * What a faction that ends leaves to its last member: its contracts, in every role, its debts, and
 * what the insurer owes it. Source: factions.md section 3.
 */
import type { Eid, Row, World } from '../../core/types.ts'
import { type Actor, factionActor, isSame, keyOf, playerActor, setActor } from './actor-rules.ts'
import { ACTOR_KINDS, CLAIMS, PROFILES } from './columns.ts'
import { debtsOf, saveDebts } from './profile.ts'
import { contractsOf, enter, leave } from './store.ts'

const ROLES = { shipped: 'shipper', carried: 'carrier', expected: 'recipient' } as const

function handContracts(world: World, from: Actor, to: Actor): void {
  for (const list of ['shipped', 'carried', 'expected'] as const) {
    for (const row of contractsOf(world, list, from)) {
      leave(world, row)
      setActor(world, row, ROLES[list], to)
      enter(world, row)
    }
  }
  for (const row of contractsOf(world, 'ended', from)) {
    leave(world, row)
    setActor(world, row, 'shipper', to)
    enter(world, row)
  }
}

function handClaims(world: World, from: Actor, to: Actor): void {
  const claims = world.records(CLAIMS)
  for (const [key, claim] of [...claims.entries()]) {
    if (!isSame({ kind: ACTOR_KINDS[claim.kind], number: claim.number }, from)) continue
    claims.set(key, { ...claim, kind: ACTOR_KINDS.indexOf(to.kind), number: to.number })
  }
}

/** Hands everything of a faction in freight to its heir. */
export function leaveFreight(world: World, faction: Row, heir: Eid): void {
  const [from, to] = [factionActor(world, faction), playerActor(world, heir)]
  handContracts(world, from, to)
  handClaims(world, from, to)
  const debts = debtsOf(world, from)
  if (debts.length > 0) {
    saveDebts(world, to, [...debtsOf(world, to), ...debts])
    saveDebts(world, from, [])
  }
  world.records(PROFILES).delete(keyOf(from))
}
