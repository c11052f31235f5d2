/**
 * Every command played wrongly in a small world: what a text-only client reads of each refusal is
 * whole. Docked, in space, and with what the schemas show as examples.
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

test('what is read of a refusal has the nouns of its details, and no version the names of the other', async () => {
  const small = await smallWorld({ players: 2 })
  const names = namesOf(small.registry)
  const [docked, flying] = small.players
  small.act(flying, 'undock')
  const refusals = new Map<string, Failure>()
  for (const def of small.registry.commands.values()) {
    const key = commandKey(def)
    if (def.kind === 'session' || key.includes('internal:')) continue
    // Its actions are played under their addresses of v2.
    if (def.v1 !== false && !def.v2 && 'action' in def.params.properties) continue
    // A ship under way is refused for that alone.
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
    const silent = nounsOf(details.map(([, value]) => value)).filter((noun) => !v1.includes(noun))
    if (silent.length > 0) wrong.push(`${v1} — does not say ${silent.join(', ')}`)
  }
  expect(wrong).toEqual([])
})
