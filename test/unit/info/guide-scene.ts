/** Plays the commands that a guide names, and records which of them ran. */
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { GUIDES } from '../../../core/catalog/guides.ts'
import type { Outcome } from '../../../core/errors.ts'
import { MARK } from '../../../core/say.ts'
import type { Eid } from '../../../core/types.ts'
import type { SmallWorld } from '../../small-world.ts'

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the answers it reads
export type Result = Record<string, any>

export interface Play {
  /** Runs a command that must succeed; returns its result. */
  does(player: Eid, command: string, params?: object): Result
  /** Runs a command that must be refused with this code. */
  refuses(player: Eid, command: string, params: object, code: string): void
  /** Returns a play in another world that adds to the same record. */
  inWorld(small: SmallWorld): Play
  readonly played: ReadonlySet<string>
}

/** Returns functions that play in a world and count each command under its name in guides. */
export function play(small: SmallWorld, played = new Set<string>()): Play {
  const execute = (player: Eid, command: string, params: object): Outcome<unknown> => {
    const def = small.registry.commands.get(command)
    if (!def) throw new Error(`there is no command ${command}`)
    expect(Value.Check(def.params, params), `${command} ${JSON.stringify(params)}`).toBe(true)
    played.add(command)
    return (def.kind === 'mutation' ? small.act : small.ask)(player, command, params)
  }
  return {
    played,
    inWorld: (other) => play(other, played),
    does(player, command, params = {}) {
      const outcome = execute(player, command, params)
      if (!outcome.ok) {
        throw new Error(`${command} ${JSON.stringify(params)}: ${JSON.stringify(outcome)}`)
      }
      return outcome.result as Result
    },
    refuses(player, command, params, code) {
      expect(execute(player, command, params), command).toMatchObject({ ok: false, code })
    },
  }
}

const MARKED = new RegExp(`${MARK.open}([a-z_]+)[^${MARK.close}]*${MARK.close}`, 'g')

/**
 * Expects that every command of the guide was played, except those that it leaves to another guide,
 * none of which may have been played.
 */
export function expectPlayed(
  id: string,
  { played }: Play,
  elsewhere: readonly string[] = [],
): void {
  const content = GUIDES.find((guide) => guide.id === id)?.content ?? ''
  const named = new Set([...content.matchAll(MARKED)].map(([, name]) => name))
  expect(named.size).toBeGreaterThan(3)
  expect([...named].filter((name) => !played.has(name))).toEqual([...elsewhere])
}
