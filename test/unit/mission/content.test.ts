/** The content check of mission templates. Source: missions.md section 1. */
import { describe, expect, test } from 'vitest'
import { MISSIONS, type MissionRow, missionFaults } from '../../../core/catalog/index.ts'
import { onSmallMap } from '../../small-world.ts'
import { templateNamed } from './stage.ts'

onSmallMap()

const faultsWith = (change: Partial<MissionRow>, id = 'bread_before_shift'): string =>
  missionFaults([{ ...templateNamed(id), ...change }]).join(' ')

describe('the content check', () => {
  test('finds nothing wrong with the templates', () => {
    expect(missionFaults()).toEqual([])
  })

  test('finds pay above the worth of the goods, the jumps or the items', () => {
    expect(faultsWith({ credits: 2_500 })).toContain('which is above')
    expect(faultsWith({ creditsPerJump: 500 })).toContain('too much per jump')
    expect(faultsWith({ items: { reactor_core: 2 } })).toContain('which is above')
    expect(faultsWith({ goodsPay: undefined })).toContain('whatever they cost')
    expect(faultsWith({ provided: { relief_parcel: 1_201 } }, 'relief_parcels')).toContain(
      'more than the largest errand',
    )
  })

  test('finds goods that do not exist, are not bound, or are never collected', () => {
    expect(faultsWith({ items: { moonbeam: 1 } })).toContain('unknown item moonbeam')
    expect(faultsWith({ provided: { bread: 1 } })).toContain('is not bound')
    expect(faultsWith({ provided: { memorial_urn: 1 } })).toContain('nobody takes memorial_urn')
  })

  test('finds unknown skills and missions, and values out of bounds', () => {
    expect(faultsWith({ skills: ['juggling'] })).toContain('unknown skill juggling')
    expect(faultsWith({ chainNext: 'nowhere' })).toContain('unknown mission nowhere')
    expect(faultsWith({ objectives: [] })).toContain('1 to 4 objectives')
    expect(faultsWith({ difficulty: 11 })).toContain('difficulty of 1 to 10')
  })

  test('finds no title that two templates share', () => {
    expect(new Set(MISSIONS.map(({ title }) => title)).size).toBe(MISSIONS.length)
  })
})
