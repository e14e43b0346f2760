# One image for every role: `docker run telltale:0.1.0 edge`.
FROM node:20.20.2-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0 AS build
WORKDIR /telltale
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json ./dashboard/
RUN npm ci
COPY . .
# The embedded ClickHouse (half a gigabyte) is for machines without containers.
RUN node bin/build.mjs && npm prune --omit=dev && rm -rf node_modules/@chdb dist/test dist/bench

FROM node:20.20.2-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0
ENV NODE_ENV=production TELLTALE_STATE=/var/lib/telltale
WORKDIR /telltale
COPY --from=build /telltale/package.json /telltale/LICENSE /telltale/NOTICE ./
COPY --from=build /telltale/node_modules ./node_modules
COPY --from=build /telltale/dist ./dist
COPY --from=build /telltale/deploy/health-check.mjs ./deploy/
RUN install --directory --owner=node /var/lib/telltale
USER node
VOLUME /var/lib/telltale
ENTRYPOINT ["node", "dist/cli/telltale.js"]
CMD ["--help"]
