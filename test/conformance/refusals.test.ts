/**
 * Plays every command with the examples of its schema, docked and in space, and checks that the
 * text of each refusal tells a text-only client everything.
 */
import { expect, test } from 'vitest'
import { type CommandDef, commandKey } from '../../core/command.ts'
import type { Failure } from '../../core/errors.ts'
import { namesOf } from '../../net/names.ts'
import { renderError } from '../../net/render.ts'
import { smallWorld } from '../small-world.ts'

/** Returns parameters made of the examples in a command's schema. */
function exampleOf(def: CommandDef): Record<string, unknown> {
  const { properties } = def.params as unknown as {
    properties: Record<string, { enum?: unknown[]; examples?: unknown[]; type?: string }>
  }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { enum: values, examples, type }]) => {
      const value = values?.[0] ?? examples?.[0] ?? (type === 'boolean' ? true : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const takesTick = (def: CommandDef, params: unknown): boolean =>
  def.kind === 'mutation' && !def.readsOnly?.(params) && !def.isImmediate?.(params)

/** Returns words and numbers of details, without flags and without fields meant for programs. */
function nounsOf(value: unknown): string[] {
  if (value === undefined || value === null || typeof value === 'boolean') return []
  if (typeof value === 'object') return Object.values(value).flatMap(nounsOf)
  return [String(value).slice(0, 40)]
}

const FOR_PROGRAMS = ['retry_after', 'wait_seconds', 'scope', 'limit_per_min', 'current']

test('the text of a refusal states its details and has no gaps on either version', async () => {
  const small = await smallWorld({ players: 2 })
  const names = namesOf(small.registry)
  const [docked, flying] = small.players
  small.act(flying, 'undock')
  const refusals = new Map<string, Failure>()
  for (const def of small.registry.commands.values()) {
    const key = commandKey(def)
    if (def.kind === 'session' || key.includes('internal:')) continue
    // The actions of such a command are played by their v2 addresses.
    if (def.v1 !== false && !def.v2 && 'action' in def.params.properties) continue
    // After a departure every later command would be refused for the journey alone.
    if (def.kind === 'mutation' && def.order === 'departure') continue
    const params = exampleOf(def)
    const calls = [docked, flying].map((player) => ({ player, command: key, params }))
    const outcomes = takesTick(def, params)
      ? [...small.tick(...calls).values()]
      : calls.map(({ player }) => small.ask(player, key, params))
    for (const outcome of outcomes)
      if (!outcome.ok) refusals.set(`${outcome.code} ${outcome.message}`, outcome)
  }
  expect(new Set([...refusals.values()].map(({ code }) => code)).size).toBeGreaterThan(60)
  const wrong: string[] = []
  for (const failure of refusals.values()) {
    const [v1, v2] = ([1, 2] as const).map((version) => names.text(version, renderError(failure)))
    if (/\bdetails\b|undefined|NaN|\[object|[\u0080-\u009f]/.test(v1 + v2)) wrong.push(v1)
    const details = Object.entries(failure.details ?? {}).filter(
      ([key]) => !FOR_PROGRAMS.includes(key),
    )
    const unstated = nounsOf(details.map(([, value]) => value)).filter((noun) => !v1.includes(noun))
    if (unstated.length > 0) wrong.push(`${v1} — does not say ${unstated.join(', ')}`)
  }
  expect(wrong).toEqual([])
})
