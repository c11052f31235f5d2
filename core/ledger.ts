/**
 * Credits in double-entry bookkeeping: every posting has two sides, so wallets, treasuries, escrow,
 * pools and the named sources and sinks always sum to zero (invariant I1). An account is a row;
 * every holder of money has one.
 */
import { assert } from './assert.ts'
import { defineTable, f64, u8 } from './columns.ts'
import { NAMED_ROWS, ROWS } from './limits.ts'
import type { CheckDef } from './registry.ts'
import type { Row, World, WorldView } from './types.ts'

export const Account = defineTable('account', ROWS.accounts, {
  kind: u8('0 held by someone (never negative), 1 a named source or sink (may be negative)'),
  credits: f64('balance, credits'),
})

const HELD = 0
const NAMED = 1

/**
 * Sources and sinks of credits: the only way in and out of circulation. Each is an account of its
 * own, in this order (append only). `correction`: what operators correct. Source: travel.md
 * section 0, faucets.
 */
export const NAMED_ACCOUNTS = [
  'starting_grant',
  'station_stipend',
  'manager_funds',
  'repair_sink',
  'fee_sink',
  'missions',
  'insurance',
  'achievements',
  'rescue',
  'pirate_bounty',
  'cloning',
  'credit_floor',
  'construction',
  'freight_insurance',
  'citizens',
  'correction',
] as const
type NamedAccount = (typeof NAMED_ACCOUNTS)[number]

/**
 * Opens the first NAMED_ROWS accounts of a new world as named accounts; those beyond NAMED_ACCOUNTS
 * are kept for names that later versions add.
 */
export function openNamedAccounts(world: World): void {
  assert(NAMED_ACCOUNTS.length <= NAMED_ROWS, 'more named accounts than rows set aside')
  for (let row = 1; row <= NAMED_ROWS; row++) {
    assert(world.take(Account) === row, 'named accounts are not the first rows')
    world.write(Account).kind[row] = NAMED
  }
}

/** Returns the account of a named source or sink. */
export const namedAccount = (name: NamedAccount): Row => NAMED_ACCOUNTS.indexOf(name) + 1

/** Opens a held account with a balance of 0. */
export function openAccount(world: World): Row {
  return world.take(Account)
}

/** Returns the balance of an account, credits. */
export function balanceOf(view: WorldView, account: Row): number {
  return view.read(Account).credits[account]
}

/**
 * Moves credits from one account to another. Callers first refuse what the payer cannot afford; an
 * overdrawn held account is a bug here.
 */
export function post(world: World, from: Row, to: Row, credits: number): void {
  assert(Number.isSafeInteger(credits) && credits >= 0, `posting of ${credits} credits`)
  if (credits === 0 || from === to) return
  const account = world.write(Account)
  assert(account.alive[from] === 1 && account.alive[to] === 1, 'posting to a closed account')
  const payerBalance = account.credits[from] - credits
  const payeeBalance = account.credits[to] + credits
  assert(account.kind[from] === NAMED || payerBalance >= 0, `account ${from} is overdrawn`)
  assert(
    Number.isSafeInteger(payerBalance) && Number.isSafeInteger(payeeBalance),
    'a balance exceeds 2^53-1',
  )
  account.credits[from] = payerBalance
  account.credits[to] = payeeBalance
}

/**
 * Returns whether the account can take the amount without exceeding 2^53-1; if not, callers refuse
 * with amount_too_large.
 */
export function canReceive(view: WorldView, account: Row, credits: number): boolean {
  return Number.isSafeInteger(balanceOf(view, account) + credits)
}

/** Checks I1: credits sum to zero, and no held account is negative. */
export const creditsSumToZero: CheckDef = {
  name: 'I1 credits sum to zero',
  run(view, full) {
    if (!full) return
    const account = view.read(Account)
    let sum = 0n
    for (let row = 1; row <= view.highOf(Account); row++) {
      if (account.alive[row] === 0) continue
      if (account.kind[row] === HELD && account.credits[row] < 0)
        assert(false, `account ${row} is negative`)
      sum += BigInt(account.credits[row])
    }
    assert(sum === 0n, `credits sum to ${sum}`)
  },
}
