/** Plays what a guide says, and keeps count of the commands it names. */
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { GUIDES } from '../../../core/catalog/guides.ts'
import type { Outcome } from '../../../core/errors.ts'
import { MARK } from '../../../core/say.ts'
import type { Eid } from '../../../core/types.ts'
import type { SmallWorld } from '../../small-world.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is for its scene to know
export type Result = Record<string, any>

export interface Play {
  /** A command that is answered ok; what it said. */
  does(player: Eid, command: string, params?: object): Result
  /** A command that is refused with the code. */
  refuses(player: Eid, command: string, params: object, code: string): void
  /** The same record of what was played, in another world. */
  in(small: SmallWorld): Play
  readonly played: ReadonlySet<string>
}

/** Returns functions that play in a world and count each command under its name in guides. */
export function play(small: SmallWorld, played = new Set<string>()): Play {
  const run = (player: Eid, command: string, params: object): Outcome<unknown> => {
    const def = small.registry.commands.get(command)
    if (!def) throw new Error(`there is no command ${command}`)
    expect(Value.Check(def.params, params), `${command} ${JSON.stringify(params)}`).toBe(true)
    played.add(command)
    return (def.kind === 'mutation' ? small.act : small.ask)(player, command, params)
  }
  return {
    played,
    in: (other) => play(other, played),
    does(player, command, params = {}) {
      const outcome = run(player, command, params)
      if (!outcome.ok) {
        throw new Error(`${command} ${JSON.stringify(params)}: ${JSON.stringify(outcome)}`)
      }
      return outcome.result as Result
    },
    refuses(player, command, params, code) {
      expect(run(player, command, params), command).toMatchObject({ ok: false, code })
    },
  }
}

const MARKED = new RegExp(`${MARK.open}([a-z_]+)[^${MARK.close}]*${MARK.close}`, 'g')

/**
 * Expects every command of the guide to have been played, but for those that it leaves to another
 * guide; of these none may have been.
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
