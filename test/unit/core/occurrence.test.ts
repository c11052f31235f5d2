/** Occurrences: which observers run, and in which order. */
import { expect, test } from 'vitest'
import { defineOccurrence, observe, orderContributions, raise } from '../../../core/occurrence.ts'
import type { World } from '../../../core/types.ts'

const landed = defineOccurrence<{ ship: number }>('landed')
const berthed = defineOccurrence<{ ship: number }>('berthed', { order: ['law', 'mission'] })

const heard: string[] = []
const observingDomain = (domain: string, occurrence: typeof landed) => ({
  name: domain,
  adds: [observe(occurrence, (_world, { ship }) => heard.push(`${domain} ${ship}`))],
})

function raiseAmong(occurrence: typeof landed, ...domains: string[]): string[] {
  heard.length = 0
  const observers = orderContributions(
    domains.map((domain) => observingDomain(domain, occurrence)),
    ({ adds }) => adds,
  )
  raise({ observers } as World, occurrence, { ship: 7 })
  return heard
}

test('observers run in the order of the registry, or in that of the occurrence', () => {
  expect(raiseAmong(landed, 'mission', 'law')).toEqual(['mission 7', 'law 7'])
  expect(raiseAmong(berthed, 'mission', 'law')).toEqual(['law 7', 'mission 7'])
  expect(raiseAmong(landed)).toEqual([])
})

test('an order must name exactly the domains that observe', () => {
  expect(() => raiseAmong(berthed, 'law')).toThrow('not that of law')
  expect(() => raiseAmong(berthed, 'law', 'mission', 'npc')).toThrow('law,mission,npc')
})
