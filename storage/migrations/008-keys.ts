/** API keys of website accounts, and the key pair of the server's own issuer. */
export const KEYS = `
create table api_key (
  id uuid primary key,
  account_id text not null references account,
  name text not null,
  -- SHA-256 of the key, which is shown once and not kept
  key_hash bytea not null unique,
  -- its last characters, for the holder to tell keys apart
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index api_key_account on api_key (account_id);

-- at most one row: without an identity provider the server signs account tokens itself
create table issuer_key (
  one boolean primary key default true check (one),
  kid text not null,
  public_jwk json not null,
  private_jwk json not null,
  created_at timestamptz not null default now()
);
`
