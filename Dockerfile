# Three stages: the production packages, the build, and the image, which copies from both and holds nothing else.
# docs/decisions/0020-container.md gives the reasons.
# The tag is for builds by hand. The workflow resolves it to a digest once, and passes that to all stages.
ARG NODE=node:26.10.0-slim

FROM ${NODE} AS packages
WORKDIR /site
COPY package.json package-lock.json ./
COPY scripts/empty-package scripts/empty-package
# Without `--omit=optional`, npm would install development packages as optional peers (Vite, Rollup).
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
COPY scripts/bill-of-materials.mjs scripts/
RUN npm pkg delete devDependencies "overrides[@vanilla-extract/integration]" \
    overrides.esbuild-plugins-node-modules-polyfill \
  && node scripts/bill-of-materials.mjs

FROM ${NODE} AS build
WORKDIR /site
COPY package.json package-lock.json ./
COPY scripts/empty-package scripts/empty-package
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The build shows it to the operator.
ARG REVISION=unknown
RUN npm run build

FROM ${NODE}
ARG NODE
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="advisory-website" \
  org.opencontainers.image.description="Website of a strategic advisory, with its backend inside" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.base.name="${NODE}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Messages name commands as docs/operations/docker.md does.
ENV SITE_COMMAND="docker compose run --rm site"
# glibc's default. Setting it stops glibc from raising it, after which the process would keep freed memory (15 to 35 MB).
ENV MALLOC_TRIM_THRESHOLD_=131072
# Leave no package manager in the image for an intruder. Only the owner may read the data folder.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && install -d -o node -g node -m 0700 /data
WORKDIR /site
COPY --from=packages /site/package.json /site/sbom.cdx.json ./
COPY --from=packages /site/scripts/empty-package scripts/empty-package
COPY --from=packages /site/node_modules node_modules
COPY --from=build /site/build build
COPY public public
COPY bin bin
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "bin/site.mjs", "healthcheck"]
# One V8 worker thread instead of four: on two cores, four would compete with requests for CPU time.
ENTRYPOINT ["node", "--v8-pool-size=1", "bin/site.mjs"]
CMD ["serve"]
