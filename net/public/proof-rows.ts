/** Bodies of proofs: signed statements of the server about public ticks. */
import { fail } from '../../core/errors.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { proofBody, proofKeyBody } from '../../core/public/proof.ts'
import type { PublicContext, PublicRow } from './row.ts'
import type { PublicState } from './state.ts'

function readProof(state: PublicState, { archive, params }: PublicContext) {
  const tick = /^\d{1,15}$/.test(params.tick) ? Number(params.tick) : MAX_SAFE
  if (tick > state.tick) {
    const text =
      tick === MAX_SAFE
        ? 'The tick must be a whole number.'
        : `Tick ${tick} is not public yet: the latest public tick is ${state.tick}.`
    return fail('not_found', undefined, text)
  }
  return archive.read({ method: 'proof', args: { tick } })
}

export const PROOF_ROWS: readonly PublicRow[] = [
  {
    path: '/api/proof',
    operationId: 'getProofKey',
    about: 'the public key that signs proofs of ticks, and the ticks that have proofs',
    cache: 'T',
    bucket: 'public',
    schema: proofKeyBody,
    source: 'archive',
    body: ({ tick }, { archive }) => archive.read({ method: 'proofKey', args: { tick } }),
  },
  {
    path: '/api/proof/:tick',
    operationId: 'getProof',
    about: 'batch, state hash and sealed journal chain of a tick, signed by the server',
    param: { name: 'tick', about: 'A tick, at most the public one.', example: '48210' },
    // Not immutable: a world that was rolled back signs other ticks with the same numbers.
    cache: 'H',
    bucket: 'public',
    schema: proofBody,
    source: 'archive',
    body: readProof,
  },
]
