/**
 * The key pair that signs proofs of ticks, and the secret with which proofs seal the chain of the
 * journal: one of each per world, created by the first start.
 */
export const PROOF_KEY = `
create table proof_key (
  one boolean primary key default true check (one),
  -- parts of an Ed25519 JSON Web Key
  public_key text not null,
  private_key text not null,
  seal bytea not null,
  made_at timestamptz not null default now()
);
`
