/**
 * Wrong secrets: who is refused for guessing, and whose name is guarded. Nobody shuts a player out
 * by guessing at their name, nor a house by one of its own. Source: interface, Limits (30 attempts
 * a minute and address); the guard of single names is ours.
 */
import type { Failure } from '../../core/errors.ts'
import { SLOWED_LOGIN_MS } from '../../core/limits.ts'
import { blockedFor, type Gate, passAddress } from './gate.ts'
import { limited } from './limited.ts'

/** A name or player that somebody at an address gives secrets for. */
export interface Guessed {
  readonly ip: string
  readonly name: string
}

const keyOf = ({ ip, name }: Guessed): string => `${ip} ${name}`

/** Refuses a name to an address that has failed often at it. */
export function blocksGuess(gate: Gate, guessed: Guessed): Failure | undefined {
  const wait = blockedFor(gate, 'failedLogin', keyOf(guessed))
  return wait > 0 ? limited('failedLogin', wait) : undefined
}

/**
 * Waits where many have failed for this name, whoever they are. Its owner may be among those who
 * come now, so that they are slowed, not refused.
 */
export async function slowGuess(gate: Gate, { name }: Guessed): Promise<void> {
  if (blockedFor(gate, 'failedName', name) === 0) return
  await new Promise((resolve) => setTimeout(resolve, SLOWED_LOGIN_MS))
}

/** Counts a wrong secret. */
export function recordGuess(gate: Gate, guessed: Guessed): void {
  passAddress(gate, 'failedLogin', keyOf(guessed))
  passAddress(gate, 'failedName', guessed.name)
}
