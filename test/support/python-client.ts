import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { reasonOf } from '../../runtime/errors.js';
import { fetchOnce } from '../../stack/cache.js';

const run = promisify(execFile);
const exporter = 'opentelemetry-exporter-otlp-json-http';
const version = '0.66b1';

export type PythonClient = { readonly path: string } | { readonly missing: string };

/** OpenTelemetry's JSON exporter for Python, installed once into the cache; or the reason why it is missing. */
export async function pythonClient(): Promise<PythonClient> {
  try {
    const path = await fetchOnce(`${exporter}-${version}`, async (folder) => {
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder];
      await run('python3', [...pip, `${exporter}==${version}`], { timeout: 120_000 });
    });
    return { path };
  } catch (error) {
    return { missing: `no Python with ${exporter}: ${reasonOf(error).split('\n')[0] ?? ''}` };
  }
}

const program = `
import sys
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Link, SpanKind, Status, StatusCode
from opentelemetry.exporter.otlp.json.http.trace_exporter import OTLPSpanExporter
provider = TracerProvider(resource=Resource.create({"service.name": "py-shop", "service.version": "1"}))
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=sys.argv[1])))
tracer = provider.get_tracer("scope", "2.0")
with tracer.start_as_current_span("root", kind=SpanKind.SERVER) as root:
    root.set_attributes({"i": 2**62 + 1, "d": 0.5, "b": True, "list": ["x", "y"], "text": "z\\u00e9"})
    root.add_event("happened", {"k": "v"})
    with tracer.start_as_current_span("child", kind=SpanKind.CLIENT, links=[Link(root.get_span_context(), {"why": "test"})]) as child:
        child.set_status(Status(StatusCode.ERROR, "boom"))
print(format(root.get_span_context().trace_id, "032x"), format(root.get_span_context().span_id, "016x"))
provider.shutdown()
`;

/** Exports two spans to the endpoint; returns the ids of the trace and of its root. */
export async function exportFromPython(path: string, endpoint: string): Promise<readonly string[]> {
  const { stdout } = await run('python3', ['-c', program, endpoint], {
    env: { ...process.env, PYTHONPATH: path },
    timeout: 60_000,
  });
  return stdout.trim().split(' ');
}
