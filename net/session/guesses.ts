/**
 * Limits guesses of secrets: an address that fails often with a name is refused for that name only,
 * so that others at the address can still log in; a name with many failures is slowed down, not
 * locked, so that nobody can lock a player out. Source: interface, Limits (30 attempts a minute and
 * address); ours: the limit per name.
 */
import type { Failure } from '../../core/errors.ts'
import { SLOWED_LOGIN_MS } from '../../core/limits.ts'
import { blockedFor, type Gate, passAddress } from './gate.ts'
import { limited } from './limited.ts'

/** An attempt at a secret. */
export interface Guess {
  /** Key of the address it comes from. */
  readonly ip: string
  /** Key of the user name, or id of the player, whose secret it is. */
  readonly name: string
}

const keyOf = ({ ip, name }: Guess): string => `${ip} ${name}`

/** Refuses a name to an address that has failed with it too often. */
export function guessRefusal(gate: Gate, guess: Guess): Failure | undefined {
  const wait = blockedFor(gate, 'failedLogin', keyOf(guess))
  return wait > 0 ? limited('failedLogin', wait) : undefined
}

/**
 * Waits if there were many failures with this name, from any address. The next attempt may be its
 * owner's, so it is delayed instead of refused.
 */
export async function delayGuess(gate: Gate, { name }: Guess): Promise<void> {
  if (blockedFor(gate, 'failedName', name) === 0) return
  await new Promise((resolve) => setTimeout(resolve, SLOWED_LOGIN_MS))
}

/** Counts a failed guess. */
export function recordWrongGuess(gate: Gate, guess: Guess): void {
  passAddress(gate, 'failedLogin', keyOf(guess))
  passAddress(gate, 'failedName', guess.name)
}
