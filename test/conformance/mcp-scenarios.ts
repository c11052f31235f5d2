/**
 * The parts of MCP's public conformance suite that do not apply to this server, and why. Everything
 * else in it must pass.
 */

/** Checks that do not apply to a game server. */
interface Absence {
  readonly why: string
  /** The checks that cannot be met, by scenario. */
  readonly checks: Readonly<Record<string, readonly string[]>>
}

/** Returns scenarios whose only unmet check has the scenario's own name. */
const sameNamed = (...scenarios: string[]): Record<string, string[]> =>
  Object.fromEntries(scenarios.map((name) => [name, [name]]))

export const ABSENCES: readonly Absence[] = [
  {
    why: 'a tool that only a server made for the suite has',
    checks: {
      ...sameNamed('tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress'),
      'json-schema-2020-12': ['json-schema-2020-12-tool-found'],
      'server-stateless': [
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ],
    },
  },
  {
    why: 'tools of the game answer with text and structured content only',
    checks: sameNamed(
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
    ),
  },
  {
    why: 'no prompts are offered',
    checks: {
      ...sameNamed(
        'prompts-list',
        'prompts-get-simple',
        'prompts-get-with-args',
        'prompts-get-embedded-resource',
        'prompts-get-with-image',
      ),
      caching: ['sep-2549-prompts-list-caching-hints'],
    },
  },
  {
    why: 'the list of resources is empty, and none can be subscribed to',
    checks: sameNamed(
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'resources-subscribe',
      'resources-unsubscribe',
    ),
  },
  {
    why: 'no completion and no logging are offered',
    checks: sameNamed('completion-complete', 'logging-set-level', 'tools-call-with-logging'),
  },
  {
    why: 'the server asks nothing of the client: no sampling, no elicitation',
    checks: {
      ...sameNamed('tools-call-sampling', 'tools-call-elicitation'),
      'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
      'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
      'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
      'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
      'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
      'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
      'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
      'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
      'input-required-result-missing-input-response': ['sep-2322-missing-response-rerequests'],
      'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
      'input-required-result-result-type': ['sep-2322-result-type-included'],
      'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
      'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
      'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
    },
  },
  {
    why: 'no tool asks for a header of its own (x-mcp-header)',
    checks: {
      'http-custom-header-server-validation': [
        'sep-2243-server-no-xmcp-tool',
        'sep-2243-server-decode-base64',
        'sep-2243-server-validate-param-match',
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch',
      ],
    },
  },
]

/** Scenarios of which every check passes; of those above only the named checks fail. */
export const PASSES: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'server-sse-polling',
    'server-sse-multiple-streams',
    'resources-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ],
}
