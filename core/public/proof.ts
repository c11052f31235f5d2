/**
 * Proofs: signed statements of a server about a tick. The text to be signed is made here, for the
 * server that signs it and for those who verify it.
 */
import { ints, list, named, opt, orNull, type Static, strings, Type } from '../params.ts'

export const PROOF_ALGORITHM = 'Ed25519'

export const proofBody = named('PublicProof', {
  ...strings('algorithm', 'epoch', 'journal_chain', 'public_key', 'signature'),
  ...ints('tick', 'batch', 'rules_version'),
  /** 16 hexadecimal digits; null if no hash was taken at the tick. */
  state_hash: orNull(Type.String()),
  ...opt({ hashed_ticks: list(Type.Integer()) }),
})
export type ProofBody = Static<typeof proofBody>

export const proofKeyBody = named('PublicProofKey', {
  ...strings('algorithm', 'epoch', 'public_key'),
  ...ints('from_tick', 'to_tick'),
})
export type ProofKeyBody = Static<typeof proofKeyBody>

/** What a proof says, without its signature. */
export type ProofClaim = Omit<ProofBody, 'signature' | 'algorithm' | 'hashed_ticks'>

/** Returns the text that is signed: a name and a value on each line. */
export const proofText = (claim: ProofClaim): string =>
  [
    'orrery proof 1',
    `epoch ${claim.epoch}`,
    `tick ${claim.tick}`,
    `batch ${claim.batch}`,
    `rules_version ${claim.rules_version}`,
    `state_hash ${claim.state_hash ?? '-'}`,
    `journal_chain ${claim.journal_chain}`,
    `public_key ${claim.public_key}`,
    '',
  ].join('\n')
