/** Packing of journal rows and their chain of checksums, without a database. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalRow } from '../../../core/ports.ts'
import { StorageDamageError } from '../../../storage/errors.ts'
import {
  CHAIN_START,
  decodeJournalRow,
  type EncodedRow,
  encodeJournalRow,
} from '../../../storage/journal-row.ts'
import { journalRow } from './fixture.ts'

/** Returns whether net accepts params: no key may be `__proto__`, which packing would rename. */
const isSent = (params: unknown): boolean => !JSON.stringify(params).includes('"__proto__":')

const rows: fc.Arbitrary<JournalRow> = fc.record({
  batch: fc.integer({ min: 1, max: 2 ** 40 }),
  tick: fc.nat(),
  part: fc.nat(5_000),
  rulesVersion: fc.nat(1_000),
  wallMs: fc.integer({ min: 0, max: 2 ** 45 }),
  inputs: fc.array(
    fc.record({
      ref: fc.nat(),
      player: fc.nat(),
      command: fc.string(),
      params: fc
        .dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }), {
          noNullPrototype: true,
        })
        .filter(isSent),
      framing: fc.constantFrom('ws1' as const, 'http2' as const),
    }),
  ),
  archived: fc.constant({ '7': { ok: true as const, result: { id: '1' } } }),
  hash: fc.option(fc.string()),
})

test('a row unpacks to what was packed', () => {
  fc.assert(
    fc.property(rows, (row) => {
      const encoded = encodeJournalRow(row, CHAIN_START)
      // JSON writes -0 as 0, so that both rows compare equal.
      expect(JSON.stringify(decodeJournalRow(encoded, CHAIN_START))).toBe(
        JSON.stringify({
          batch: row.batch,
          tick: row.tick,
          part: row.part,
          rulesVersion: row.rulesVersion,
          wallMs: row.wallMs,
          hash: row.hash,
          inputs: row.inputs,
          archived: row.archived,
        }),
      )
    }),
    { numRuns: 200 },
  )
})

test('a secret never reaches the packed row', () => {
  const [input] = journalRow(1).inputs
  const withSecret = { ...input, secret: { passwordHash: 'do not keep' } }
  const encoded = encodeJournalRow(journalRow(1, { inputs: [withSecret] }), CHAIN_START)
  expect(Buffer.from(encoded.body).includes('do not keep')).toBe(false)
})

test('every flipped bit of a row, its checksum or the previous checksum is detected', () => {
  const encoded = encodeJournalRow(journalRow(3), CHAIN_START)
  const flipped = (bytes: Uint8Array, bit: number): Uint8Array => {
    const copy = Uint8Array.from(bytes)
    copy[bit >> 3] ^= 1 << (bit & 7)
    return copy
  }
  const expectDamage = (damaged: EncodedRow, previous: Uint8Array): void =>
    expect(() => decodeJournalRow(damaged, previous)).toThrow(StorageDamageError)
  for (let bit = 0; bit < encoded.body.length * 8; bit++) {
    expectDamage({ ...encoded, body: flipped(encoded.body, bit) }, CHAIN_START)
  }
  for (let bit = 0; bit < 256; bit++) {
    expectDamage({ ...encoded, checksum: flipped(encoded.checksum, bit) }, CHAIN_START)
    expectDamage(encoded, flipped(CHAIN_START, bit))
  }
  for (const field of ['batch', 'tick', 'part', 'rulesVersion', 'wallMs'] as const) {
    expectDamage({ ...encoded, [field]: encoded[field] + 1 }, CHAIN_START)
  }
  expectDamage({ ...encoded, hash: null }, CHAIN_START)
})
