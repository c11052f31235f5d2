/**
 * Proofs of ticks: batch, state hash and chain of the journal, signed with the key of the world.
 * The private key is read from its table only to sign.
 *
 * What a proof reveals: the state hash is 64 bits over the whole world, most of which is unknown to
 * outsiders, so it cannot confirm guesses of hidden values. The plain checksum of the chain could:
 * the single input of a quiet tick might be guessed. It is therefore shown as an HMAC with a secret
 * that only exports contain.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { fail, type Outcome, ok } from '../core/errors.ts'
import {
  PROOF_ALGORITHM,
  type ProofBody,
  type ProofClaim,
  type ProofKeyBody,
  proofText,
} from '../core/public/proof.ts'
import type { Sql } from './db.ts'
import { readEpoch } from './epoch.ts'
import { rowOfTick } from './journal-blocks.ts'

const SEAL_BYTES = 32

interface ProofKey {
  readonly publicKey: string
  readonly privateKey: string
  readonly seal: Uint8Array
}

/** The part of an export with which proofs of its world are verified. */
export interface ProofSeal {
  readonly publicKey: string
  readonly seal: Uint8Array
}

const keptKey = (sql: Sql): Promise<ProofKey[]> =>
  sql<ProofKey[]>`
    select public_key as "publicKey", private_key as "privateKey", seal from proof_key`

/** Creates the key of a world that has none yet. */
export async function makeProofKey(sql: Sql): Promise<void> {
  if ((await keptKey(sql)).length > 0) return
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x, d } = privateKey.export({ format: 'jwk' })
  if (x === undefined || d === undefined) throw new Error('a key pair has no parts')
  // Nodes that start at the same time create one each: the first row is kept.
  await sql`
    insert into proof_key (public_key, private_key, seal)
    values (${x}, ${d}, ${randomBytes(SEAL_BYTES)}) on conflict do nothing`
}

/** Returns the proof fields of an export; nothing before the first start. */
export async function sealOfProofs(sql: Sql): Promise<{ readonly proof?: ProofSeal }> {
  // The tables may still be those of an older release.
  const [{ there }] = await sql<{ there: boolean }[]>`
    select to_regclass('proof_key') is not null as there`
  const [key] = there ? await keptKey(sql) : []
  return key ? { proof: { publicKey: key.publicKey, seal: key.seal } } : {}
}

/** Returns a checksum of the journal chain as shown in proofs, in hexadecimal. */
export const sealedChain = (seal: Uint8Array, checksum: Uint8Array): string =>
  createHmac('sha256', seal).update(checksum).digest('hex')

const OKP = { kty: 'OKP', crv: PROOF_ALGORITHM } as const

/** Parses a public key; returns undefined for an invalid text. */
function publicKeyOf(x: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: { ...OKP, x }, format: 'jwk' })
  } catch {
    return undefined
  }
}

function signed(claim: ProofClaim, { publicKey, privateKey }: ProofKey): string {
  const key = createPrivateKey({ key: { ...OKP, x: publicKey, d: privateKey }, format: 'jwk' })
  return sign(null, Buffer.from(proofText(claim)), key).toString('base64url')
}

/** Returns true if a proof is signed with the key it names. */
export function isSigned(proof: ProofBody): boolean {
  const key = publicKeyOf(proof.public_key)
  const signature = Buffer.from(proof.signature, 'base64url')
  return key !== undefined && verify(null, Buffer.from(proofText(proof)), key, signature)
}

/** Returns the first and last tick with a row. */
async function readSpan(sql: Sql, tick: number): Promise<{ from: number; to: number } | undefined> {
  const [{ from, to }] = await sql<{ from: number | null; to: number | null }[]>`
    select least(
      (select min(tick) from journal where part = 0),
      -- of the first tick, only the immediates after it may be left
      (select min(first_tick) + 1 from journal_block)) as "from",
      (select max(tick) from journal where part = 0 and tick <= ${tick}) as "to"`
  return from === null || to === null ? undefined : { from: Number(from), to: Number(to) }
}

const NO_KEY = 'There are no proofs yet: the server creates its key at its next start.'

/** `proofKey` { tick }: returns the public key, and the ticks with proofs. */
export async function readKey(
  sql: Sql,
  { tick }: { readonly tick: number },
): Promise<Outcome<ProofKeyBody, 'not_found'>> {
  const [key] = await keptKey(sql)
  if (!key) return fail('not_found', undefined, NO_KEY)
  const span = await readSpan(sql, tick)
  return ok({
    algorithm: PROOF_ALGORITHM,
    public_key: key.publicKey,
    epoch: await readEpoch(sql),
    from_tick: span?.from ?? 0,
    to_tick: span?.to ?? 0,
  })
}

/** `proof` { tick }: returns the proof of a tick. Refuses: not_found, with the available ticks. */
export async function readProof(
  sql: Sql,
  { tick }: { readonly tick: number },
): Promise<Outcome<ProofBody, 'not_found'>> {
  const [key] = await keptKey(sql)
  if (!key) return fail('not_found', undefined, NO_KEY)
  const row = await rowOfTick(sql, tick)
  if (!row) {
    const span = await readSpan(sql, tick)
    const there = span ? ` The journal goes back to tick ${span.from}.` : ''
    return fail('not_found', { tick }, `There is no proof of tick ${tick} any more.${there}`)
  }
  const hash = row.hash ?? (await hashOfSnapshot(sql, row.batch))
  const claim: ProofClaim = {
    epoch: await readEpoch(sql),
    tick,
    batch: row.batch,
    rules_version: row.rulesVersion,
    state_hash: hash,
    journal_chain: sealedChain(key.seal, row.checksum),
    public_key: key.publicKey,
  }
  const body: ProofBody = {
    algorithm: PROOF_ALGORITHM,
    ...claim,
    ...(hash === null ? { hashed_ticks: [...row.hashedTicks] } : {}),
    signature: signed(claim, key),
  }
  return ok(body)
}

/** Returns the state hash of a snapshot at a batch; null if there is none. */
async function hashOfSnapshot(sql: Sql, batch: number): Promise<string | null> {
  const rows = await sql<{ hash: string }[]>`
    select hash from snapshot where batch = ${batch} and complete limit 1`
  return rows[0]?.hash ?? null
}
