/** Reading of the plain arguments that archive methods get, and texts made fit for SQL. */
import { assert } from '../../core/assert.ts'
import type { Args } from './call.ts'

/** PostgreSQL has no NUL in texts, and UTF-8 no half of a surrogate pair. */
export const storableText = (text: string): string => text.replace(/\p{Surrogate}|\0/gu, '\ufffd')

export function text(args: Args, name: string): string {
  const value = args[name]
  assert(typeof value === 'string', `archive argument ${name} is no text`)
  return storableText(value)
}

export function optionalText(args: Args, name: string): string | null {
  return args[name] === undefined || args[name] === null ? null : text(args, name)
}

export function integer(args: Args, name: string): number {
  const value = args[name]
  assert(Number.isSafeInteger(value), `archive argument ${name} is no integer`)
  return value as number
}

export function optionalInteger(args: Args, name: string): number | undefined {
  return args[name] === undefined || args[name] === null ? undefined : integer(args, name)
}

export function texts(args: Args, name: string): string[] {
  const value = args[name]
  assert(Array.isArray(value), `archive argument ${name} is no list`)
  return value.map((item) => {
    assert(typeof item === 'string', `archive argument ${name} holds what is no text`)
    return storableText(item)
  })
}

/** RFC 3339 with microseconds, as the archive shows its times. */
export const isoFromUs = (us: number): string => {
  const seconds = new Date(Math.floor(us / 1000)).toISOString().slice(0, 19)
  return `${seconds}.${String(us % 1_000_000).padStart(6, '0')}Z`
}
